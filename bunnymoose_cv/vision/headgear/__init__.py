"""Headgear classification: features, networks, logit fusion and reasons."""
