"""Past evenings: their view model in the history, and the queue of the films that users request of them.

Loading the view model opens every game's file, so pages call `load` on another thread than the server's loop. The
progress of a film is known by its path, so that a reloaded page shows it, too.
"""

from __future__ import annotations

import logging
import re
import time
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.past_evening import listed_game, past_evening_of
from bunnymoose_cv.web.urls import game_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.game_folders import StoredGame
    from bunnymoose_cv.record.past_evening import ListedGame, PastEvening
    from bunnymoose_cv.record.video_file import Progress

_logger = logging.getLogger(__name__)

_DAY_AND_TIME: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)_(\d\d)-(\d\d)", re.ASCII)
"""Beginning of a game folder's name."""


@dataclass(frozen=True, slots=True)
class Evenings:
    """Stored evenings.

    Attributes:
        listed: all evenings, the newest first.
        kept: the chosen evening; None without one.
        retold: the account of the chosen evening; None if it is not readable.
        problem: a sentence about an evening that is not readable; empty without one.
    """

    listed: tuple[ListedGame, ...] = ()
    kept: StoredGame | None = None
    retold: PastEvening | None = None
    problem: str = ""


def load(games: Iterable[StoredGame], wanted: int | None, playing: Path | None) -> Evenings:
    """Load everything that the history shows.

    Args:
        games: stored games, the newest first.
        wanted: the chosen game (`game_number`); None for the running one or, without one, the newest.
        playing: the folder of the running game.
    """
    try:
        kept = tuple(games)
    except InputError as error:
        return Evenings(problem=error.sentence)
    listed = tuple(map(listed_game, kept))
    number = game_number(playing) if wanted is None and playing is not None else wanted
    chosen = next((game for game in kept if number is None or game_number(game.folder) == number), None)
    if chosen is None:
        return Evenings(listed)
    try:
        return Evenings(listed, chosen, past_evening_of(chosen))
    except InputError as error:
        return Evenings(listed, chosen, problem=error.sentence)


def when(folder: Path, texts: Texts) -> str:
    """Format the start of an evening for a language, such as `2026-11-21 20:05` or `21.11.2026, 20:05`."""
    named = _DAY_AND_TIME.match(folder.name)
    if named is None:
        return folder.name
    year, month, day, hour, minute = map(int, named.groups())
    return texts(
        "{year}-{month:02}-{day:02} {hour:02}:{minute:02}", year=year, month=month, day=day, hour=hour, minute=minute
    )


PAUSE_S: Final = 0.05
"""Polling interval of a film that waits while the referee judges."""


@dataclass(frozen=True, slots=True)
class Making:
    """Requested film: its finished share, 0 to 1, and a sentence about its failure, empty without one."""

    share: float = 0.0
    problem: str = ""


class FilmJobs:
    """Thread-safe queue of requested films, which are made one at a time.

    Args:
        must_rest: returns whether the referee needs the whole computer now.
        notify: called when a film was requested, and when it was made or failed.
    """

    def __init__(
        self, must_rest: Callable[[], bool] = lambda: False, notify: Callable[[], None] = lambda: None
    ) -> None:
        self._must_rest, self._notify = must_rest, notify
        self._known: dict[Path, Making] = {}
        self._beginning = Lock()
        self._worker = ActorThread("films")

    def known(self, path: Path) -> Making | None:
        """Return the state of a requested film; None if it is finished or was not requested."""
        return self._known.get(path)

    def begin(self, path: Path, make: Callable[[Progress], object]) -> None:
        """Make a film when its turn comes, unless it is in the queue already."""
        with self._beginning:
            known = self._known.get(path)
            if known is not None and not known.problem:
                return
            self._known[path] = Making()
            self._worker.submit(partial(self._make, path, make))
            if not self._worker.running:
                self._worker.start()
        self._notify()

    def _make(self, path: Path, make: Callable[[Progress], object]) -> None:
        try:
            make(partial(self._store_progress, path))
        except InputError as error:
            _logger.warning("a film is not made", exc_info=True)
            self._known[path] = Making(problem=error.sentence)
        except Exception:
            _logger.exception("a film broke")
            self._known[path] = Making(
                problem=Phrase("The film could not be made: something went wrong in the program.")
            )
        else:
            del self._known[path]
        self._notify()

    def _store_progress(self, path: Path, share: float) -> None:
        """Store the progress of a film, and let it wait while the referee judges."""
        self._known[path] = Making(share)
        while self._must_rest():
            time.sleep(PAUSE_S)
