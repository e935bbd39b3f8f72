"""The user's own folder, in which the program keeps settings, games, profiles, takes, learnt sounds and its log."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import platformdirs

_OTHERS: Final = 0o077
"""Rights of all but the owner."""


def user_folder() -> Path:
    """Path of the folder, which may not be there yet; an absolute `XDG_DATA_HOME` moves it, on every system."""
    moved = Path(os.environ.get("XDG_DATA_HOME", ""))
    if moved.is_absolute():
        return moved / "bunnymoose"
    return platformdirs.user_data_path("bunnymoose", appauthor=False)


def make_private(folder: Path) -> None:
    """Make a folder for what is written about people, and close one that an earlier version left open to others.

    Raises:
        OSError: the disk refuses.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & _OTHERS:
        folder.chmod(0o700)
