"""The game: poses, cards, decks, scoring, the trail, the evening. Standard library only; owns no pixels and no clock."""
