"""Camera checks, and profiles of tables and players."""
