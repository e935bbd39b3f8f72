"""Warm-up round: a few poses of everybody at once, from which each player is calibrated."""
