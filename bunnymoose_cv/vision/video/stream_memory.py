"""Memory of one stream between its readings: the heads to follow, and the glances while the table waits.

The heads decide when the whole image is searched. The glances are evidence for the next cue.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.vision.reader import with_fresh_players
from bunnymoose_cv.vision.settings import TRACKER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.vision.effort import Effort
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.seats import Sample


class HeadFollower:
    """Memory of the heads of one stream, which decides between following them and searching the image.

    Attributes:
        shape: that of the last image that was read; () before the first one.
    """

    def __init__(self, reader: Reader, players: int | None = None) -> None:
        """Start without a head; the number of players in the row may be unknown."""
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
        """Return whether a frame must be searched: no head can be followed, or the last search was too long ago."""
        in_last_frame = sum(time_s == self._latest_s for time_s, _ in self._seen)
        missing = self._players is not None and in_last_frame < self._players
        return self.is_new(frame) or (missing and frame.time_s - self._searched_s >= TRACKER.search_again_s)

    def is_new(self, frame: Frame) -> bool:
        """Return whether no head is known in images of this shape, or the last search was long ago."""
        recently = 0 <= frame.time_s - self._searched_s < TRACKER.newcomers_s
        return not self._seen or frame.image.shape != self.shape or not recently

    def begin(self, frame: Frame, effort: Effort) -> Callable[[], FrameReading]:
        """Return a function for any thread that reads a frame by a search, if one is due, or by following the heads."""
        if self.is_search_due(frame):
            self._searched_s = frame.time_s
            return lambda: self._reader.read(frame.image, frame.time_s)
        heads = self.heads
        return lambda: self._reader.follow(frame, heads, effort)

    def remember(self, reading: FrameReading) -> None:
        """Keep the heads of a frame, and heads lost a short while ago whose place is still free."""
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


class Glances:
    """Glances at one row. Each glance reads the head, hands and mouth of at most one player.

    It is the next one in the row who has moved, or whose last reading is too old. At a still table most glances only
    detect faces and movement.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.latest: FrameReading | None = None
        self._turn = 0  # the seat that was read last
        self._in_flight = 0  # the seat that the previous glance reads; 0 if none
        self._samples: deque[Sample] = deque()

    def begin(self, frame: Frame, heads: Sequence[Head]) -> Callable[[], FrameReading] | None:
        """Return a function that glances at the next frame, or None if no image of this size was read before.

        The function may be called on any thread. It carries over the readings of all other players.
        """
        if self.latest is None or self.latest.image.shape != frame.image.shape:
            return None
        players = self.latest.players
        in_turn = sorted(players, key=lambda player: (player.seat <= self._turn, player.seat))
        due = (player for player in in_turn if player.has_moved or self._is_old(player, frame.time_s))
        chosen = next((player for player in due if player.seat != self._in_flight), None)
        self._in_flight = 0 if chosen is None else chosen.seat
        self._turn = self._in_flight or self._turn
        others = tuple(player for player in players if player is not chosen)
        return partial(self._reader.read_quick, frame, heads, replace(self.latest, players=others))

    def _is_old(self, player: PlayerReading, time_s: float) -> bool:
        """Return whether no glance has read a player for a while."""
        recent = (read for read_s, read in self._samples if time_s - read_s < TRACKER.glances_s / 2)
        return not any(read.player.head.overlaps(player.face) for read in recent)

    def note(self, reading: FrameReading) -> None:
        """Continue from a finished reading, and keep its samples of players.

        Players whom the reading before read while this one was in flight are carried over from it.
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
        """Return readings of single players shortly before a cue, by time; none if the last image had another shape."""
        if self.latest is None or self.latest.image.shape != shape:
            return ()
        return tuple(sample for sample in self._samples if sample[0] > cue_s - TRACKER.glances_s)
