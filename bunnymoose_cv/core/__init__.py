"""Foundations that every other package may use: errors, translatable phrases, resources, files, signals, threads."""
