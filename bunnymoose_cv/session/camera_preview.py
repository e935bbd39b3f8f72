"""Preview of a camera before a game, with the seats, so that people can put camera and chairs right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.published import VersionedState
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.session.source_actor import SourceActor
from bunnymoose_cv.session.table_state import LatestReading
from bunnymoose_cv.vision.video.seats import seated
from bunnymoose_cv.vision.video.tracker import Tracker

if TYPE_CHECKING:
    from bunnymoose_cv.rules.events import GameStarted
    from bunnymoose_cv.session.video_source import VideoSource
    from bunnymoose_cv.vision.reader import Reader

STEP_S: Final = 0.2
"""Shortest time between two looks: people are arranging chairs."""


class Preview(SourceActor[VersionedState]):
    """Repeated look at the row of players, from `with` to its end, on a thread of its own.

    Args:
        started: who is going to play; the narrator of the first round does not sit in the row.
    """

    def __init__(self, source: VideoSource, reader: Reader, started: GameStarted) -> None:
        super().__init__(source, ActorThread("preview", self._look, first_turn_s=STEP_S), VersionedState())
        self._game = fold([started])
        self._tracker = Tracker(reader, len(self._game.seats))

    def _prepare(self) -> None:
        self._source.follow(self._game)

    def _look(self) -> float:
        frame = self._frames.take()
        if frame is not None:
            reading = seated(self._tracker.read_quick(frame), len(self._game.seats))
            self._latest_reading = LatestReading.after(self._latest_reading, reading)
        return STEP_S
