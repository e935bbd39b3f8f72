"""The game: poses, cards, decks, scoring, trail, evening. Standard library only; owns no pixels and no clock."""
