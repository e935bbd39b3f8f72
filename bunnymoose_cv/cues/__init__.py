"""What says “Bam!” and when it was said. Owns no pictures and no rules."""
