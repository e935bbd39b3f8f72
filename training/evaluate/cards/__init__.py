"""Rendered photographs of cards on tables, and the matrix of conditions that the card reader is measured on."""
