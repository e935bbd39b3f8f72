"""Every text that people read or hear, in five languages, from one catalogue."""
