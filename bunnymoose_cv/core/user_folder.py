"""The user's own folder, in which the program keeps settings, games, profiles, takes, learnt sounds and its log."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def user_folder() -> Path:
    """Path of the folder, which may not be there yet; an absolute `XDG_DATA_HOME` moves it, on every system."""
    moved = Path(os.environ.get("XDG_DATA_HOME", ""))
    if moved.is_absolute():
        return moved / "bunnymoose"
    return platformdirs.user_data_path("bunnymoose", appauthor=False)
