"""Calibration of single players: labelled takes → offset and scale per field, in log-odds."""
