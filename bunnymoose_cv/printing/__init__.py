"""Printing: the deck and the mat as vector PDF."""
