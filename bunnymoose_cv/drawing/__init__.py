"""Readings drawn on images: annotations, label layout, words for poses."""
