"""The user's own folder, in which the program keeps settings, games, profiles, takes, learnt sounds and its log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import platformdirs

if TYPE_CHECKING:
    from pathlib import Path


def user_folder() -> Path:
    """Path of the folder, which may not be there yet; `XDG_DATA_HOME` moves it on Linux."""
    return platformdirs.user_data_path("bunnymoose", appauthor=False)
