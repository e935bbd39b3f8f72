"""JSON that commands print and pages offer for download."""
