"""Video sources of a session, and the checks of the table before them."""
