"""Tongue classification: mouth crop and cascade."""
