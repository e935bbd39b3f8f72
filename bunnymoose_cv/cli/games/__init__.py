"""Commands for stored games: list, show, replay, contest, correct, undo."""
