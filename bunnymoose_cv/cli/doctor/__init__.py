"""`bunnymoose doctor`: checks of the computer on which a game will be played."""
