"""Announcements: the sentences that the screen shows and the voice speaks."""
