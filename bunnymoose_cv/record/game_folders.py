"""Folders of stored games: number, order and size, the lock of a game that is being played, and removal.

Games are ordered by a number stored in each folder, since clocks are not reliable. Folders of older versions have no
number. They count as 0, before all others, and are sorted by name.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from shutil import rmtree
from threading import RLock
from typing import TYPE_CHECKING, Final

from filelock import FileLock, Timeout

from bunnymoose_cv.core.atomic_files import may_change, whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import open_regular
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class StoredGame:
    """Stored game; number 1 of the list is the newest, and the folder is named by the start time."""

    number: int
    folder: Path

    @property
    def name(self) -> str:
        """Start time of the game: `2026-11-21_20-05-33`."""
        return self.folder.name

    @property
    def highlights(self) -> Path:
        """Path of the film of the game's highlights, which is created on request."""
        return self.folder / "highlights.mp4"

    @property
    def size_bytes(self) -> int:
        """Size on the disk in bytes, including the evidence."""
        return sum(map(_size_bytes, self.folder.rglob("*")))


def _size_bytes(path: Path) -> int:
    """Return the size of a file; 0 for a folder or a link, and for a missing or inaccessible file."""
    with suppress(OSError):
        about = path.lstat()
        return about.st_size if stat.S_ISREG(about.st_mode) else 0
    return 0


ORDER_FILE: Final = "order.txt"
_DIGITS: Final = 18
"""Limit of a number's digits; a longer one is ignored."""

_LARGEST: Final = 10**_DIGITS - 1
"""Largest number, which all later games share; those are sorted by name."""


def order_number(folder: Path) -> int:
    """Return the number stored in a game's folder; 0 without a readable one."""
    try:
        with open_regular(folder / ORDER_FILE) as kept:
            digits = kept.read(_DIGITS + 2).strip()
    except OSError:
        return 0
    return int(digits) if digits.isdigit() and len(digits) <= _DIGITS else 0


def keep_order_number(folder: Path, number: int) -> None:
    """Store a number, at most the largest, in a game's folder, which is created if necessary."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with whole_file(folder / ORDER_FILE) as part:
        part.write_text(f"{min(number, _LARGEST)}\n", "ascii")


def remove_folder(folder: Path, last: str) -> None:
    """Remove a folder and the file `last` as the last one, or nothing if one of its folders may not be changed.

    Raises:
        OSError: a file or folder cannot be removed; `filename` names it.
    """
    for inner in (folder.parent, *_folders(folder)):
        if not may_change(inner):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(inner))
    for tries_left in reversed(range(5)):  # other processes may create files in it, such as the lock file of a game
        _empty(folder, last)
        try:
            folder.rmdir()
        except OSError as error:
            if error.errno not in {errno.ENOTEMPTY, errno.EEXIST} or not tries_left:
                raise
        else:
            return


def _empty(folder: Path, last: str) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            rmtree(path)
        elif path.name != last:
            path.unlink(missing_ok=True)
    (folder / last).unlink(missing_ok=True)


def _folders(folder: Path) -> Iterator[Path]:
    """Yield the folder and its subfolders, each before it is entered, so that an unreadable one is included."""
    yield folder
    with os.scandir(folder) as inside:
        for inner in inside:
            if inner.is_dir(follow_symlinks=False):
                yield from _folders(folder / inner.name)


_CLAIM_FILE: Final = "played.sqlite"
"""Name of the lock file, which is not a database; older versions use the same name."""

_ASKING: Final = RLock()
"""Mutex for taking a lock or probing whether it is free; another thread would mistake a probe for a game."""


class GameLockedError(InputError):
    """Game whose lock another process holds."""


class ProcessLock:
    """Lock that permits playing a game, held until it is closed; a `GameLockedError` if another process has it."""

    def __init__(self, folder: Path) -> None:
        self._lock = FileLock(folder / _CLAIM_FILE, mode=0o600, blocking=False, thread_local=False)
        try:
            with _ASKING:
                self._lock.acquire()
        except Timeout as error:
            sentence = Phrase("The game in {folder} is already being played: end it there first.", folder=str(folder))
            raise GameLockedError(sentence) from error
        except (OSError, NotImplementedError):
            return  # A disk that does not allow even this is reported by the game file.

    def close(self) -> None:
        """Release the lock."""
        self._lock.release()


def is_played(folder: Path) -> bool:
    """Return whether any process, including this one, is playing the game of a folder."""
    try:
        if not (folder / _CLAIM_FILE).is_file():
            return False
        with _ASKING:
            ProcessLock(folder).close()
    except GameLockedError:
        return True
    except OSError:  # a user without access to the folder cannot be playing there
        return False
    return False
