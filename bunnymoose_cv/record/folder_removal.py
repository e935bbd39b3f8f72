"""Removal of a folder with all that is in it, either whole or so that it is still known for what it was."""

from __future__ import annotations

import errno
import os
from shutil import rmtree
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.permissions import may_change

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TRIES: Final = 5
"""Attempts to remove a folder while others make files in it, such as the lock file of a game."""


def remove_folder(folder: Path, last: str) -> None:
    """Remove a folder; nothing of it where a folder in it may not be changed.

    Args:
        last: the name of the file in it that is removed after all else.

    Raises:
        OSError: something cannot be removed; `filename` says what.
    """
    for each in (folder.parent, *_folders(folder)):
        if not may_change(each):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(each))
    for tries_left in reversed(range(_TRIES)):
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
    """The folder and those in it; an unreadable one is named before it would be entered."""
    yield folder
    with os.scandir(folder) as inside:
        for each in inside:
            if each.is_dir(follow_symlinks=False):
                yield from _folders(folder / each.name)
