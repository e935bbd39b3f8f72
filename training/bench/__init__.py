"""Benchmarks of the declared stages, of rounds and of the live video: `python -m training.bench`."""
