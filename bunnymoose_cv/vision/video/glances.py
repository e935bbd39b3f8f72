"""Glances: light looks at a row while the table waits, kept as evidence for a cue that may come soon."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.reader import with_fresh_players
from bunnymoose_cv.vision.settings import TRACKER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading
    from bunnymoose_cv.vision.video.seats import Sample


class Glances:
    """Turns of a row: the player whose head, hands and mouth are read in each glance.

    Attributes:
        latest: the last reading; None before the first one.
    """

    def __init__(self, reader: Reader) -> None:
        """Start without a reading to go on from."""
        self._reader = reader
        self.latest: FrameReading | None = None
        self._turn = 0  # the seat that was read by the last glance
        self._samples: deque[Sample] = deque()

    def begin(self, frame: Frame, heads: Sequence[Head]) -> Callable[[], FrameReading] | None:
        """Choose the glance at a frame, to be called on any thread; None without a reading of such images.

        It reads the next player in turn, and carries the others over.

        Args:
            frame: not older than the one before.
            heads: heads to follow.
        """
        if self.latest is None or self.latest.image.shape != frame.image.shape:
            return None
        players = self.latest.players
        self._turn = self._turn % max(1, len(players)) + 1
        others = tuple(player for player in players if player.seat != self._turn)
        return partial(self._reader.read_quick, frame, heads, replace(self.latest, players=others))

    def note(self, reading: FrameReading) -> None:
        """Go on from a reading, and keep the players who were read in it.

        Players who were read in the reading before, while this one was in flight, are carried over from there.
        """
        if self.latest is not None and self.latest.image.shape != reading.image.shape:
            self._samples.clear()
        elif self.latest is not None:
            reading = with_fresh_players(reading, self.latest)
        self.latest = reading
        self._samples.extend((reading.time_s, player) for player in reading.players if not player.is_reused)
        while self._samples and not 0 <= reading.time_s - self._samples[0][0] < TRACKER.glances_s:
            self._samples.popleft()

    def before(self, cue_s: float, shape: tuple[int, ...]) -> tuple[Sample, ...]:
        """Readings of single players shortly before a cue, in order of time; of images of this shape alone."""
        if self.latest is None or self.latest.image.shape != shape:
            return ()
        return tuple(sample for sample in self._samples if sample[0] > cue_s - TRACKER.glances_s)
