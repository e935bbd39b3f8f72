"""Profiles of tables and of players, one readable TOML each in the user's data folder."""
