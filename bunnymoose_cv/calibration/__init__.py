"""Checks of the table, and profiles of tables and players."""
