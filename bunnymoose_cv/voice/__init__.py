"""What is said and the saying of it. Owns no scores."""
