"""Voice: announcements as text and as speech."""
