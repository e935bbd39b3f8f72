"""Recursive estimate of one player's pose around a cue: both sides of the head, and the mouth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.readings import PlayerReading
from bunnymoose_cv.vision.video.mouth_estimate import MouthEstimate
from bunnymoose_cv.vision.video.side_estimate import SideEstimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.video.seats import Sample
    from bunnymoose_cv.vision.video.window import Window


@dataclass(frozen=True, slots=True, eq=False)
class PlayerEstimate:
    """Estimate of one player: two sides and a mouth.

    Attributes:
        until_s: time of the last reading.
    """

    sides: Mapping[Side, SideEstimate]
    mouth: MouthEstimate
    until_s: float

    @classmethod
    def of(cls, samples: Iterable[Sample], window: Window) -> PlayerEstimate:
        """Estimate from one person's readings.

        Args:
            samples: at least one, in order of time; those reused from an earlier frame are left out.
            window: the window around the cue; readings before it count where nothing has changed since.
        """
        samples = list(samples)
        samples = [sample for sample in samples if not sample[1].is_reused] or samples
        counted = [sample for sample in samples if sample[0] < window.end_s + window.step_s] or samples
        start = cls({side: SideEstimate(window, side) for side in Side}, MouthEstimate(window), counted[-1][0])
        return reduce(cls.updated, counted, start)

    def updated(self, sample: Sample) -> PlayerEstimate:
        """Update by the next reading."""
        time_s, reading = sample
        sides = {side: estimate.updated(sample) for side, estimate in self.sides.items()}
        return PlayerEstimate(sides, self.mouth.updated(time_s, reading.tongue.probability_out), time_s)

    @property
    def is_settled(self) -> bool:
        """Tell if hands and tongue are known to have been held at the cue."""
        return self.mouth.is_settled and all(side.settled_hold is not None for side in self.sides.values())

    def reading(self, player: Player, reader: Reader) -> PlayerReading:
        """Aggregate the reading.

        Args:
            player: to show: the seat, head and hands of one frame.
        """
        headgear = {side: estimate.reading(reader) for side, estimate in self.sides.items()}
        return PlayerReading(player, headgear, reader.tongue_reading(player.head, self.mouth.probability_out))
