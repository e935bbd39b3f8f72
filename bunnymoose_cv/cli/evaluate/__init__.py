"""Evaluation of labelled sets: `bunnymoose evaluate`."""
