"""Records of a game: events, evidence, films."""
