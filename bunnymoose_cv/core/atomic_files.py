"""Files that appear under their names when they are whole and on the disk, so that a half is never taken for a file.

No library for it is kept up (docs/explanation/decisions/0001-libraries.md).
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PART: Final = ".part"


def part_of(path: Path) -> Path:
    """The name under which a file is written until it is whole."""
    return path.with_name(f"{path.name}{_PART}")


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
        OSError: the disk refuses.
    """
    try:
        yield part_of(path)
        put_in_place(path)
    finally:
        with suppress(OSError):
            part_of(path).unlink()


def remove_parts(folder: Path) -> None:
    """Take away what an interrupted program left in a folder and the folders in it."""
    for part in folder.rglob(f"*{_PART}"):
        with suppress(OSError):
            part.unlink()
