"""Measuring: a labelled set of pictures, what it says is right, what we read, and how often the two agree."""
