"""Glances: light looks at a row while the table waits, kept as evidence for a cue that may come soon."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.effort import SCHEDULE
from bunnymoose_cv.vision.faces.tiles import cover_with_tiles
from bunnymoose_cv.vision.settings import TRACKER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.faces.tiles import Tile
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading
    from bunnymoose_cv.vision.video.seats import Sample


class Glances:
    """Turns of a row: whose hands and mouth are read, whose head is followed, which tiles are searched next."""

    def __init__(self, reader: Reader) -> None:
        """Start without a reading to go on from."""
        self._reader = reader
        self._latest: FrameReading | None = None
        self._turn = 0  # the seat that was read by the last glance
        self._tiled = 0.0  # so many tiles of the image, and a share of one, are searched
        self._samples: deque[Sample] = deque()

    def read(self, frame: Frame, heads: Sequence[Head]) -> FrameReading | None:
        """Read the next player in turn, and carry the others over; None without a reading of such images.

        Args:
            frame: not older than the one before.
        """
        if self._latest is None or self._latest.image.shape != frame.image.shape:
            return None
        players = self._latest.players
        self._turn = self._turn % max(1, len(players)) + 1
        halfway = (self._turn - 1 + len(players) // 2) % max(1, len(players)) + 1
        reused = [player for player in players if player.seat != self._turn]
        fixed_seats = [player.seat for player in reused if player.seat != halfway]  # two heads are followed
        tiles = self._next_tiles(frame, frame.time_s - self._latest.time_s)
        return self._reader.read_quick(frame, heads, replace(self._latest, players=tuple(reused)), fixed_seats, tiles)

    def note(self, reading: FrameReading) -> None:
        """Go on from a reading, and keep what was read anew in it."""
        if self._latest is not None and self._latest.image.shape != reading.image.shape:
            self._samples.clear()
        self._latest = reading
        self._samples.extend((reading.time_s, player) for player in reading.players if not player.is_reused)
        while self._samples and not 0 <= reading.time_s - self._samples[0][0] < TRACKER.glances_s:
            self._samples.popleft()

    def before(self, cue_s: float, shape: tuple[int, ...]) -> tuple[Sample, ...]:
        """Readings of single players shortly before a cue, in order of time; of images of this shape alone."""
        if self._latest is None or self._latest.image.shape != shape:
            return ()
        return tuple(sample for sample in self._samples if sample[0] > cue_s - TRACKER.glances_s)

    def _next_tiles(self, frame: Frame, since_s: float) -> list[Tile]:
        """Tiles whose turn it is, so long after the last glance."""
        height, width = frame.image.shape[:2]
        tiles = cover_with_tiles(width, height)
        begin = self._tiled % len(tiles)
        self._tiled = begin + len(tiles) * min(since_s / SCHEDULE.covered_s, 1)
        return [tiles[number % len(tiles)] for number in range(int(begin), int(self._tiled))]
