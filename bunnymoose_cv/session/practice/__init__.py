"""Practice: what is asked of one player, what to change, and takes for calibration."""
