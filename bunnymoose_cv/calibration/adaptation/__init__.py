"""Calibration of single players: labelled takes → offset, scale and temperature per field, in log-odds."""
