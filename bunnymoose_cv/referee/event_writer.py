"""Writer of a game's events: on the disk, or in memory while the disk takes none."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from bunnymoose_cv.record.game_file import EventNotStoredError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.round import Round

_logger = logging.getLogger(__name__)


class EventWriter:
    """Writer of the events of one game, with the round that they closed.

    Args:
        tell: is given the sentence about a disk that takes no events; the game goes on in memory.
    """

    def __init__(self, file: GameFile, tell: Callable[[str], None]) -> None:
        self._file = file
        self._tell = tell
        self._closed: Round | None = None

    def append(self, events: Sequence[Event], why: str, who: str) -> None:
        """Write events down, all or none; see `GameFile.append`.

        Raises:
            IllegalEventError: an event cannot follow on those before it.
            InputError: something should be undone, and another program appended meanwhile.
        """
        self._write(lambda: self._file.append(events, why, who))

    def take_back(self, number: int, still_true: Iterable[Entry], why: str, who: str) -> None:
        """Take the newest standing events back, but for what is still true of them; see `GameFile.take_back`.

        Raises:
            IllegalEventError, InputError: as `append`.
        """
        self._write(lambda: self._file.take_back(number, still_true, why, who))

    def take_closed(self) -> Round | None:
        """Hand out the round that was closed since the last call; None where none was."""
        closed, self._closed = self._closed, None
        return closed

    def _write(self, write: Callable[[], object]) -> None:
        before = len(self._file.game.rounds)
        try:
            write()
        except EventNotStoredError as error:
            _logger.warning("%d events stand in memory only", self._file.unkept, exc_info=True)
            self._tell(error.sentence)
        rounds = self._file.game.rounds
        if len(rounds) > before:
            self._closed = rounds[-1]
