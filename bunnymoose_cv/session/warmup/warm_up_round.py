"""Warm-up round: the poses to show, and those that are read at each seat.

Each step leaves time to move, then reads two halves. If they disagree about any player, the step is repeated. Times are
those of the readings; a slow computer lengthens a half until it has enough of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.exemptions import are_judged_alike
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.video.freeze import freeze
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from bunnymoose_cv.rules.exemptions import Exemption
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading


@dataclass(frozen=True, slots=True)
class WarmUpStep:
    """Pose to show, with the instruction that is shown large and said, and one for new players that is only shown."""

    words: Phrase
    manual: Phrase
    asked: Pose


STEPS: Final = (
    WarmUpStep(
        Phrase("Everybody: wide antlers up!"),
        Phrase("Thumbs at your temples, all fingers spread, pointing up."),
        Pose.parse("WU WU"),
    ),
    WarmUpStep(
        Phrase("Everybody: compact antlers, down!"),
        Phrase("Thumbs at your temples, fingers close together, pointing down."),
        Pose.parse("CD CD"),
    ),
    WarmUpStep(
        Phrase("Everybody: ears on top, straight!"),
        Phrase("Fists on top of your head, two fingers of each stretched up."),
        Pose.parse("TS TS"),
    ),
    WarmUpStep(
        Phrase("Everybody: ears at the side, floppy!"),
        Phrase("Fists at the sides of your head, two fingers of each out and curled."),
        Pose.parse("SF SF"),
    ),
    WarmUpStep(
        Phrase("Everybody: hands down, tongues out!"),
        Phrase("Hands on the table, and the tongue out past your lips."),
        Pose.parse("-- -- t"),
    ),
)
"""Each value of every field once; 25 seconds without a second take."""


MOVING_S: Final = 3.0
"""Time to hear an instruction and move, in which readings do not count."""

HALF_S: Final = 1.0

FEWEST_READINGS: Final = 2
"""Number of readings that a half needs."""

TAKE_S: Final = MOVING_S + 2 * HALF_S

MOST_TRIES: Final = 2


@dataclass(frozen=True, slots=True)
class WarmUpState:
    """State of a warm-up round.

    Attributes:
        step: the current step, the number of which counts from 1; None when the round is over.
        again: whether this is a second take, since the halves of the first disagreed.
        moving_s: seconds until readings count.
        left_s: seconds until the take is complete; 0 while it lacks readings.
        counts: whether readings count now; before, players move.
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
        only: the seats that are warmed up, while the others may rest; None warms up all seats.
        exempt: the parts of each seat that are not judged.

    Attributes:
        understood: the poses that have been read as asked, by seat.
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
        self.understood: dict[int, list[Pose]] = {seat: [] for seat in sorted(self._only)}

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

    def skip(self) -> WarmUpState:
        """Go on to the next step; a step that is skipped counts as not understood."""
        self._number += 1
        self._tries = 0
        self.restart_take()
        return self.state

    def restart_take(self) -> None:
        """Forget the readings of the current take, since other images follow."""
        self._began_s, self._since_s = None, 0.0
        self._halves = ([], [])

    def see(self, reading: FrameReading) -> WarmUpState:
        """Process the next reading, which is later than the previous one."""
        if self._number >= len(STEPS):
            return self.state
        if self._began_s is None:
            self._began_s = reading.time_s
        self._since_s = reading.time_s - self._began_s
        counted_s = self._since_s - MOVING_S
        first, second = (len(half) >= FEWEST_READINGS for half in self._halves)
        if counted_s >= 2 * HALF_S and second:
            self._close()
        elif counted_s >= 0:
            self._halves[int(counted_s >= HALF_S and first)].append(reading)
        return self.state

    def _close(self) -> None:
        """Count the take, or ask for it again."""
        first, second = (self._poses(half) for half in self._halves)
        steady = {seat for seat in first.keys() & second.keys() if self._are_alike(seat, first[seat], second[seat])}
        self._tries += 1
        if steady < self._only and self._tries < MOST_TRIES:
            self.restart_take()
            return
        asked = STEPS[self._number].asked
        for seat in steady:
            if self._are_alike(seat, first[seat], asked):
                self.understood[seat].append(asked)
        self.skip()

    def _are_alike(self, seat: int, pose: Pose, other: Pose) -> bool:
        return are_judged_alike(pose, other, self._exempt.get(seat, ()))

    def _poses(self, half: Sequence[FrameReading]) -> dict[int, Pose]:
        """Return the poses by seat, aggregated over a half."""
        if not half:
            return {}
        start_s, end_s = half[0].time_s, half[-1].time_s
        window = Window(start_s, start_s, end_s, end_s, HALF_S, self.reader.settings.freeze.tongue_s)
        frozen = freeze(half, window, self.reader, self.seats)
        found = {player.seat: player.reading.pose for player in frozen.players if player.reading is not None}
        return {seat: pose for seat, pose in found.items() if seat in self._only}
