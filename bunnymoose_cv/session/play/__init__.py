"""Play of a game: cues, judging, corrections, dealer, questions, output."""
