"""Lock of a game that is played: one program at a time holds it, and it ends with the program."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Final

from filelock import FileLock, Timeout

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from pathlib import Path

_CLAIM_FILE: Final = "played.sqlite"
"""Name of the lock file, which is no database; an older program looks for the lock under this name, too."""

_ASKING: Final = RLock()
"""Held while a thread takes a lock, or tries one to see if it is free: another would mistake the try for a game."""


class GameLockedError(InputError):
    """Error of a game whose lock another process holds."""


class ProcessLock:
    """The right to play a game, until it is closed.

    Raises:
        GameLockedError: somebody else has it.
    """

    def __init__(self, folder: Path) -> None:
        self._lock = FileLock(folder / _CLAIM_FILE, mode=0o600, blocking=False, thread_local=False)
        try:
            with _ASKING:
                self._lock.acquire()
        except Timeout as error:
            sentence = Phrase("The game in {folder} is being played already: end it there first.", folder=str(folder))
            raise GameLockedError(sentence) from error
        except (OSError, NotImplementedError):
            return  # A disk that does not even allow this is told of by the game file.

    def close(self) -> None:
        """Release the lock."""
        self._lock.release()


def is_played(folder: Path) -> bool:
    """Tell if some program, this one too, plays the game of a folder right now."""
    try:
        if not (folder / _CLAIM_FILE).is_file():
            return False
        with _ASKING:
            ProcessLock(folder).close()
    except GameLockedError:
        return True
    except OSError:  # whoever may not look there plays nothing there
        return False
    return False
