"""Pixels to poses: detection of the players, classification of headgear and tongue."""
