"""Cues: sources of “Bam!” and its time."""
