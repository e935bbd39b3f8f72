"""Changes to files: the right to make them, and atomic files, which are never read when partial.

A file gets its name only when it is complete and on the disk. Only regular files are replaced: a folder, a device, a
pipe or a socket is refused, and a link is followed.
No library for this is maintained (docs/explanation/decisions/0001-libraries.md).
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


def may_change(path: Path) -> bool:
    """Return whether a file may be written to, or files may be listed, created and removed in a folder."""
    rights = os.R_OK | os.W_OK | os.X_OK if path.is_dir() else os.W_OK
    return os.access(path, rights, effective_ids=os.access in os.supports_effective_ids)


_PART: Final = ".part"
_OURS: Final = f".bunnymoose{_PART}"
"""Ending of the names of this program's partial files; no other program uses it."""


def replaceable(path: Path) -> Path:
    """Return the regular or missing file behind a path and its links; an `OSError` says why it cannot be replaced."""
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
    """Return the name under which a file is written until it is complete."""
    return path.with_name(f"{path.name}{_OURS}")


def is_part(path: Path) -> bool:
    """Return whether a file is still being written."""
    return path.suffix == _PART


def put_in_place(path: Path) -> None:
    """Flush a file's part to the disk and give it the file's name, replacing an existing file."""
    part = part_of(path)
    rights = path.parent.stat().st_mode | 0o600
    part.chmod(part.stat().st_mode & rights & 0o666)  # no wider rights than those of its folder
    with part.open("rb+") as written:
        os.fsync(written.fileno())
    part.replace(path)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield the temporary name to write to. On exit the file gets its own name, or is removed after an error."""
    target = replaceable(path)
    try:
        yield part_of(target)
        put_in_place(target)
    finally:
        with suppress(OSError):
            part_of(target).unlink()


def remove_parts(folder: Path) -> None:
    """Remove the partial files of an interrupted run from a folder and its subfolders."""
    for part in folder.rglob(f"*{_PART}"):
        with suppress(OSError):
            part.unlink()
