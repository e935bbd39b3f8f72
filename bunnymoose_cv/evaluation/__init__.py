"""Measuring: a labelled set of images, what it says is right, what we read, and how often the two agree."""
