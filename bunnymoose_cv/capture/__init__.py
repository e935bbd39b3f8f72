"""Frames from pictures and clips. Owns no judgement of what they show."""
