"""What is kept of a round."""
