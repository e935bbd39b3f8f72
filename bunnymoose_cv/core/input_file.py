"""Open the files that a person names: regular ones alone, of a bounded size.

A named pipe would wait for ever, a device never ends, so both are refused before a byte is read.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, BinaryIO, Final

from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from pathlib import Path

_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags of opening; without O_NONBLOCK a pipe waits for somebody who writes to it."""


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading.

    Raises:
        OSError: the file is missing, may not be read, or is no regular file; `strerror` says which.
    """
    if "\0" in str(path):
        raise OSError(errno.EINVAL, "its name has a zero byte in it", str(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    descriptor = os.open(path, _FLAGS)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is a pipe or a device, and no file", str(path))
    return os.fdopen(descriptor, "rb")


def no_right_to_read(path: Path, reason: str) -> Phrase:
    """Sentence about a file that is there and may not be read."""
    return Phrase(
        "{path} cannot be read ({reason}): give yourself the right to read it.", path=str(path), reason=reason
    )


def is_visible(path: Path) -> bool:
    """Tell a regular file that may be looked at from all else, also from one in a folder that may not be entered."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_own_file(path: Path) -> bool:
    """Return whether a path is a regular file that may be looked at, and not a link, which may point anywhere."""
    return is_visible(path) and not path.is_symlink()


def read_bounded(path: Path, largest_bytes: int) -> bytes:
    """Read a whole regular file that is no larger than a limit.

    Raises:
        OSError: as `open_regular`, and where the file is larger.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        # A read takes the memory of all that it asks for. Files of the system say that they have 0 bytes.
        content = b"" if size > largest_bytes else file.read((size or largest_bytes) + 1)
    if size > largest_bytes or len(content) > largest_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {largest_bytes // 1_000_000} MB", str(path))
    return content
