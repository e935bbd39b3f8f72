"""Foundations for every other package: errors, translatable phrases, resources, files, signals, threads."""
