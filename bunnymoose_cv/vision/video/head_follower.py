"""Heads of one stream: where they were seen last, and when the whole image has to be searched for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.vision.settings import TRACKER

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.vision.effort import Effort
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading


class HeadFollower:
    """Memory of the heads of one stream, and choice between following them and searching the image.

    Attributes:
        shape: of the last image that was read; () before the first one.
    """

    def __init__(self, reader: Reader, players: int | None = None) -> None:
        """Start without a head.

        Args:
            players: number of players in the row, where that is known.
        """
        self.shape: tuple[int, ...] = ()
        self._reader = reader
        self._players = players
        self._seen: list[tuple[float, Head]] = []
        self._latest_s = -np.inf
        self._searched_s = -np.inf

    @property
    def heads(self) -> list[Head]:
        """Heads to follow: those of the last frame, then those lost a short while ago."""
        return [head for _, head in self._seen]

    def is_search_due(self, frame: Frame) -> bool:
        """Tell if nobody can be followed into a frame, or the last search was too long ago."""
        since_s = frame.time_s - self._searched_s
        if not self._seen or since_s < 0 or frame.image.shape != self.shape:
            return True
        in_last_frame = sum(time_s == self._latest_s for time_s, _ in self._seen)
        missing = self._players is not None and in_last_frame < self._players
        return since_s >= (TRACKER.search_again_s if missing else TRACKER.newcomers_s)

    def is_new(self, frame: Frame) -> bool:
        """Tell if nobody is known in images like this one, or the last search was long ago."""
        recently = 0 <= frame.time_s - self._searched_s < TRACKER.newcomers_s
        return not self._seen or frame.image.shape != self.shape or not recently

    def begin(self, frame: Frame, effort: Effort) -> Callable[[], FrameReading]:
        """Choose the reading of a frame, to be called on any thread: a search where due, else of the followed heads."""
        if self.is_search_due(frame):
            self._searched_s = frame.time_s
            return lambda: self._reader.read(frame.image, frame.time_s)
        heads = self.heads
        return lambda: self._reader.follow(frame, heads, effort)

    def remember(self, reading: FrameReading) -> None:
        """Keep the heads of a frame, and those lost a short while ago where nobody else is now."""
        if reading.image.shape != self.shape:
            self._seen, self.shape = [], reading.image.shape
        lost = [
            (time_s, head)
            for time_s, head in self._seen
            if 0 <= reading.time_s - time_s < TRACKER.gone_s
            and not any(head.overlaps(other.box) for other in reading.heads)
        ]
        self._seen = [*((reading.time_s, head) for head in reading.heads), *lost]
        self._latest_s = reading.time_s
