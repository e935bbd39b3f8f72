"""Temporal stages: tracker, seats, freeze and motion."""
