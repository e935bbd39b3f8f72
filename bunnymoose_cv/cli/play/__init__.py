"""`bunnymoose play`: a whole game, on the table screen or in the terminal."""
