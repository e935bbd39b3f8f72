"""What is kept of a round. Owns no scores and no screen."""
