"""Checks of the table: what a camera sees and a microphone hears, judged with a remedy for each fault."""
