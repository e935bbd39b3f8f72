"""Capture of images and sound from cameras, streams, clips and image files."""
