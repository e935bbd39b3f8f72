"""Warm-up round: everybody at once shows a few poses, and the referee learns everybody's hands."""
