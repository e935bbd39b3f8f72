"""Output to the terminal, escaped and bounded, and the keys pressed there."""
