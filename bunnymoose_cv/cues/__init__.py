"""What says “Bam!” and when it was said."""
