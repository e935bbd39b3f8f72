"""One game that is kept: its number, its folder, and its size."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game that is kept.

    Attributes:
        number: 1 is the newest.
        folder: the game's own folder, named by when it began.
    """

    number: int
    folder: Path

    @property
    def name(self) -> str:
        """Start time of the game: `2026-11-21_20-05-33`."""
        return self.folder.name

    @property
    def highlights(self) -> Path:
        """Path of the film of the game's highlights, which is made on request."""
        return self.folder / "highlights.mp4"

    @property
    def size_bytes(self) -> int:
        """Size on the disk, with its evidence."""
        return sum(map(_size_bytes, self.folder.rglob("*")))


def _size_bytes(path: Path) -> int:
    """The size of a file; nothing for a folder or a link, or for one that is gone or may not be looked at."""
    try:
        about = path.lstat()
    except OSError:
        return 0
    return about.st_size if stat.S_ISREG(about.st_mode) else 0
