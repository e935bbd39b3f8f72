"""Guard of what a command reads and of kept games against its own output."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from bunnymoose_cv.core.atomic_files import replaceable
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.game_file import GAME_FILE


def check_output_file(path: Path, *inputs: Path, option: str = "--out") -> None:
    """Check, before the work, a file that a person wants written.

    Args:
        path: is not written yet.

    Raises:
        InputError: it is an input, lies in a kept game, or is a folder, a device or a pipe.
    """
    try:
        target = replaceable(path)
    except IsADirectoryError as error:
        raise InputError(f"{path} is a folder: name a file, such as one in it.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}): name another file with {option}.") from error
    for each in inputs:
        if _is_same(target, each):
            raise InputError(
                f"{path} is what the command reads, and would be overwritten: name another file with {option}."
            )
    check_output_folder(target)


def check_output_folder(path: Path) -> None:
    """Check that nothing of a kept game would be overwritten in a folder, or by a file.

    Raises:
        InputError: it is, or lies in, the folder of a kept game.
    """
    real = Path(os.path.realpath(path))
    for folder in (real, *real.parents):
        if os.path.isfile(folder / GAME_FILE):  # noqa: PTH113 - False for what may not be looked at
            raise InputError(
                f"{path} lies in the kept game {folder.name}, which stays as it is: name a place outside it."
            )


def _is_same(path: Path, other: Path) -> bool:
    """Tell if two names are of one file, through links of both kinds."""
    with suppress(OSError):
        return path.samefile(other)
    return False
