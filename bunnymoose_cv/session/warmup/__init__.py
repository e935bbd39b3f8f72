"""Warm-up round: a few poses of all players at once, from which each player is calibrated."""
