"""Files of a kept game that can be read, and the errors of all that cannot."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from bunnymoose_cv.core.atomic_files import is_part
from bunnymoose_cv.core.input_file import is_visible, open_regular
from bunnymoose_cv.record.footage_spool import is_spool

if TYPE_CHECKING:
    from collections.abc import Iterator


def readable_files(folder: Path, missing: list[OSError]) -> Iterator[Path]:
    """Whole files in a folder and the folders in it, by name.

    Args:
        folder: may be missing.
        missing: the error of each file or folder that may not be read is added; its `filename` says which.
    """
    refused: list[OSError] = []
    for inside, folders, names in os.walk(folder, onerror=refused.append):
        folders.sort()
        missing += (_is_link(Path(inside) / name) for name in folders if (Path(inside) / name).is_symlink())
        yield from filter(lambda path: is_readable(path, missing), (Path(inside) / name for name in sorted(names)))
    missing += (error for error in refused if not isinstance(error, FileNotFoundError))


def is_readable(path: Path, missing: list[OSError]) -> bool:
    """Return whether a whole file can be read; the error of one that cannot, or of a link, is added to `missing`."""
    if is_part(path) or is_spool(path):
        return False
    if path.is_symlink():
        missing.append(_is_link(path))
        return False
    try:
        with open_regular(path):
            return True
    except PermissionError as error:
        missing.append(error)
    except OSError as error:
        if is_visible(path):
            missing.append(error)
    return False


def _is_link(path: Path) -> OSError:
    """Return the error of a link: what it points to belongs to nobody's game."""
    return OSError(errno.ELOOP, "it is a link", str(path))


def unread(error: OSError) -> str:
    """Describe a file that cannot be read: `/games/party/rounds/01 cannot be read (Permission denied)`."""
    return f"{error.filename} cannot be read ({error.strerror or error})"
