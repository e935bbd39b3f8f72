"""The claim to play a game: one program at a time, told by a lock that ends with it.

The lock is SQLite's own, which every system has and gives back however the program ends.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from pathlib import Path

_CLAIM_FILE: Final = "played.sqlite"


class GameLockedError(InputError):
    """Somebody else plays the game."""


class ProcessLock:
    """The right to play a game, until it is closed.

    Args:
        folder: the game's own folder.

    Raises:
        GameLockedError: somebody else has it.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / _CLAIM_FILE
        with suppress(OSError):
            path.touch(mode=0o600)
        self._connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            self._connection.close()
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                sentence = Phrase(
                    "The game in {folder} is being played already: end it there first.", folder=str(folder)
                )
                raise GameLockedError(sentence) from error
            # A disk that does not even allow this is told of by the game file.

    def close(self) -> None:
        """Let others play."""
        self._connection.close()


def is_played(folder: Path) -> bool:
    """Tell if some program, this one too, plays the game of a folder right now."""
    try:
        if not (folder / _CLAIM_FILE).is_file():
            return False
        ProcessLock(folder).close()
    except GameLockedError:
        return True
    except (OSError, sqlite3.Error):  # whoever may not look there plays nothing there
        return False
    return False
