"""Output to the terminal, escaped and limited in length, and the keys pressed there."""
