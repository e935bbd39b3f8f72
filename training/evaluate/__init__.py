"""Evaluation of labelled sets: `python -m training.evaluate`."""
