"""Headgear classification: features, networks, logit scaling and reasons."""
