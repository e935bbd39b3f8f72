"""`bunnymoose doctor`: checks of the computer that a game is to be played on."""
