"""What is said and the saying of it."""
