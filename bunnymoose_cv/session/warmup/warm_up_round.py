"""Warm-up round: the poses that are asked for, and which of them are read of each seat.

Each step leaves time to move, then reads two halves. Where they disagree about anybody, the step is taken once more.
No clock but that of the readings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.exemptions import are_judged_alike
from bunnymoose_cv.session.warmup.warm_up_steps import STEPS
from bunnymoose_cv.vision.video.freeze import freeze
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from bunnymoose_cv.rules.exemptions import Exemption
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.session.warmup.warm_up_steps import WarmUpStep
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading

MOVING_S: Final = 3.0
"""Time to hear an instruction and move; nothing of it counts."""

HALF_S: Final = 1.0
"""Length of each half of a take."""

TAKE_S: Final = MOVING_S + 2 * HALF_S

MOST_TRIES: Final = 2


@dataclass(frozen=True, slots=True)
class WarmUpState:
    """State of a warm-up round.

    Attributes:
        step: asked for now; None when the round is over.
        number: of the step, from 1.
        again: True for a second take, since the halves of the first disagreed.
        moving_s: seconds until readings count.
        left_s: seconds until the take is complete.
        counts: True while readings count; before that people move.
    """

    step: WarmUpStep | None
    number: int
    again: bool
    moving_s: float
    left_s: float
    counts: bool


class WarmUpRound:
    """Warm-up round of a row of players. Belongs to one thread.

    Args:
        only: seats that are warmed up; the others may rest. Without it everybody is.
        exempt: what is not judged of a seat, and may show anything.
    """

    def __init__(
        self,
        reader: Reader,
        seats: int,
        only: frozenset[int] | None = None,
        exempt: Mapping[int, Collection[Exemption]] | None = None,
    ) -> None:
        self.reader = reader
        self.seats = seats
        self._only = only or frozenset(range(1, seats + 1))
        self._exempt = dict(exempt or {})
        self._number = self._tries = 0
        self._began_s: float | None = None
        self._since_s = 0.0
        self._halves: tuple[list[FrameReading], list[FrameReading]] = ([], [])
        self._understood: dict[int, list[Pose]] = {seat: [] for seat in sorted(self._only)}

    @property
    def state(self) -> WarmUpState:
        """State of the round."""
        step = STEPS[self._number] if self._number < len(STEPS) else None
        return WarmUpState(
            step,
            min(self._number + 1, len(STEPS)),
            self._tries > 0,
            moving_s=max(0.0, MOVING_S - self._since_s),
            left_s=max(0.0, TAKE_S - self._since_s),
            counts=self._since_s >= MOVING_S,
        )

    @property
    def understood(self) -> Mapping[int, Sequence[Pose]]:
        """Poses that were read as asked so far, by seat."""
        return self._understood

    def skip(self) -> WarmUpState:
        """Leave a step out, which counts as not understood."""
        self._next()
        return self.state

    def restart_take(self) -> None:
        """Forget the readings of the current take, since other images come."""
        self._begin()

    def see(self, reading: FrameReading) -> WarmUpState:
        """Take in the next reading, later than the one before."""
        if self._number >= len(STEPS):
            return self.state
        if self._began_s is None:
            self._began_s = reading.time_s
        self._since_s = reading.time_s - self._began_s
        counted_s = self._since_s - MOVING_S
        if counted_s >= 2 * HALF_S:
            self._close()
        elif counted_s >= 0:
            self._halves[int(counted_s >= HALF_S)].append(reading)
        return self.state

    def _close(self) -> None:
        """Count the take, or ask for it once more."""
        first, second = (self._poses(half) for half in self._halves)
        steady = {seat for seat in first.keys() & second.keys() if self._are_alike(seat, first[seat], second[seat])}
        self._tries += 1
        if steady < self._only and self._tries < MOST_TRIES:
            self._begin()
            return
        asked = STEPS[self._number].asked
        for seat in steady:
            if self._are_alike(seat, first[seat], asked):
                self._understood[seat].append(asked)
        self._next()

    def _are_alike(self, seat: int, pose: Pose, other: Pose) -> bool:
        return are_judged_alike(pose, other, self._exempt.get(seat, ()))

    def _poses(self, half: Sequence[FrameReading]) -> dict[int, Pose]:
        """Return the poses by seat, agreed over a half."""
        if not half:
            return {}
        start_s, end_s = half[0].time_s, half[-1].time_s
        window = Window(start_s, start_s, end_s, end_s, HALF_S, self.reader.settings.freeze.tongue_s)
        frozen = freeze(half, window, self.reader, self.seats)
        found = {player.seat: player.reading.pose for player in frozen.players if player.reading is not None}
        return {seat: pose for seat, pose in found.items() if seat in self._only}

    def _next(self) -> None:
        self._number += 1
        self._tries = 0
        self._begin()

    def _begin(self) -> None:
        self._began_s, self._since_s = None, 0.0
        self._halves = ([], [])
