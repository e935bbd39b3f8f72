"""Kept games: list, show, replay, contest, correct, undo."""
