"""Camera checks, calibration of players, and profiles of tables and players."""
