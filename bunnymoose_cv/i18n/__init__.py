"""Texts that users read or hear, in five languages, with one catalogue for each."""
