"""Files that appear under their names when they are whole and on the disk, so that a half is never taken for a file.

Only regular files are replaced: a folder, a device, a pipe or a socket is refused, and a link is written through.
No library for it is kept up (docs/explanation/decisions/0001-libraries.md).
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_PART: Final = ".part"
_OURS: Final = f".bunnymoose{_PART}"
"""Ending of a name that no file of somebody else has."""


def replaceable(path: Path) -> Path:
    """The regular file that a path names, there or not, behind links.

    Raises:
        OSError: it is something else, or cannot be looked at; `strerror` says which.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device, and no file", str(path))
    return Path(os.path.realpath(path))


def part_of(path: Path) -> Path:
    """The name under which a file is written until it is whole."""
    return path.with_name(f"{path.name}{_OURS}")


def is_part(path: Path) -> bool:
    """Tell if a file is one that is being written."""
    return path.suffix == _PART


def put_in_place(path: Path) -> None:
    """Bring a file's part to the disk and give it the file's name; a file that is there is replaced.

    Raises:
        OSError: the disk refuses.
    """
    part = part_of(path)
    rights = path.parent.stat().st_mode | 0o600
    part.chmod(part.stat().st_mode & rights & 0o666)  # no more may read it than look into its folder
    with part.open("rb+") as written:
        os.fsync(written.fileno())
    part.replace(path)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Lend the name to write to; afterwards it is put in place, or after an error taken away.

    Raises:
        OSError: the disk refuses, or the path names no regular file.
    """
    target = replaceable(path)
    try:
        yield part_of(target)
        put_in_place(target)
    finally:
        with suppress(OSError):
            part_of(target).unlink()


def remove_parts(folder: Path) -> None:
    """Take away what an interrupted program left in a folder and the folders in it."""
    for part in folder.rglob(f"*{_PART}"):
        with suppress(OSError):
            part.unlink()
