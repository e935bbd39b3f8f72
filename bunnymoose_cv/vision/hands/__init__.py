"""Hand detection, hand geometry and assignment of hands to heads."""
