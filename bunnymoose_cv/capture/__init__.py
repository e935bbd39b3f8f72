"""Frames from pictures and clips."""
