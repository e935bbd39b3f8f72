"""Queue of requested films beside the game: one at a time, and none while Bam is being judged.

What is being made, and what could not be, is known by the film's place, so that every page, also one that was loaded
anew, shows the same.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bunnymoose_cv.record.highlight_films import Progress

_logger = logging.getLogger(__name__)

PAUSE_S: Final = 0.05
"""Polling interval of a film that waits while the referee judges."""


@dataclass(frozen=True, slots=True)
class Making:
    """A film that somebody has asked for.

    Attributes:
        share: how much of it is made, 0 to 1.
        problem: one sentence where it could not be made; else empty.
    """

    share: float = 0.0
    problem: str = ""


_OUR_FAULT: Final = Phrase("The film could not be made: something went wrong in the program.")


class FilmJobs:
    """Thread-safe queue of requested films.

    Args:
        must_rest: whether the computer belongs to the referee just now.
        tell: called when a film has been asked for, and when it has been made or could not be.
    """

    def __init__(self, must_rest: Callable[[], bool] = lambda: False, tell: Callable[[], None] = lambda: None) -> None:
        self._must_rest, self._tell_change = must_rest, tell
        self._known: dict[Path, Making] = {}
        self._beginning = Lock()
        self._worker = ActorThread("films")

    def known(self, path: Path) -> Making | None:
        """State of a requested film; None once it is there, and for one that was not requested."""
        return self._known.get(path)

    def begin(self, path: Path, make: Callable[[Progress], object]) -> None:
        """Make a film as soon as there is time; nothing happens where that is going on already.

        Args:
            make: makes it, and tells how far it is.
        """
        with self._beginning:
            known = self._known.get(path)
            if known is not None and not known.problem:
                return
            self._known[path] = Making()
            self._worker.submit(partial(self._make, path, make))
            if not self._worker.running:
                self._worker.start()
        self._tell_change()

    def _make(self, path: Path, make: Callable[[Progress], object]) -> None:
        try:
            make(partial(self._tell, path))
        except InputError as error:
            _logger.warning("a film is not made", exc_info=True)
            self._known[path] = Making(problem=error.sentence)
        except Exception:
            _logger.exception("a film broke")
            self._known[path] = Making(problem=_OUR_FAULT)
        else:
            del self._known[path]
        self._tell_change()

    def _tell(self, path: Path, share: float) -> None:
        """Note how far a film is, and let it wait while the referee judges."""
        self._known[path] = Making(share)
        while self._must_rest():
            time.sleep(PAUSE_S)
