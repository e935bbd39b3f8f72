"""Face detection, refinement and tracking."""
