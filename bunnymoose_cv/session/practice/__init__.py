"""Practice of one player: poses to show, hints, and takes for calibration."""
