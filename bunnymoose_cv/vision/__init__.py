"""Pixels to poses: finds the players, reads what stands on each head. Owns no rules but what a pose is."""
