"""Training of our networks: `python -m training.faces`, `training.headgear` and `training.tongue`."""
