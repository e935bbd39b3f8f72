"""`bunnymoose judge`: images and clips in, readings and scores out."""
