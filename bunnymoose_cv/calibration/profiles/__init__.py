"""Profiles of tables and players, each a readable TOML file in the user's data folder."""
