"""Frames from images and clips."""
