"""Training of the headgear networks and their fusion: hands and sides of heads to `models/`."""
