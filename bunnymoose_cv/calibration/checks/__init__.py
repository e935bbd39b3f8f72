"""Checks of the table: camera images and microphone sound, judged with a remedy for each fault."""
