"""The game: poses, cards, decks, scoring, trail, evening. Standard library only; no images and no clock."""
