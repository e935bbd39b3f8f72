"""Pages, one file for each address."""
