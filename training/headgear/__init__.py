"""Training of the headgear networks and the scaling of their logits: hands and sides of heads to `models/`."""
