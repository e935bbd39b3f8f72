"""One labelled image: its truth, its reading, and how the two compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.evaluation.comparison import LARGEST_GROUP, Measure, Outcome, pairs
from bunnymoose_cv.evaluation.truth import PeopleTruth, PlayerTruth

if TYPE_CHECKING:
    from bunnymoose_cv.evaluation.manifest import Row
    from bunnymoose_cv.evaluation.reading import Read, ReadPlayer
    from bunnymoose_cv.evaluation.truth import Truth


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One labelled picture.

    Attributes:
        row: its line of the manifest.
        truth: what it shows.
        read: what was read.
        outcomes: how the two compare.
        left_out: whom it shows, if a net that has not seen them read the tongue; None if the shipped one did.
    """

    row: Row
    truth: Truth
    read: Read
    outcomes: tuple[Outcome, ...]
    left_out: str | None

    @property
    def right(self) -> dict[Measure, bool]:
        """For each measure whether everything in this picture is right, in the order of `Measure`."""
        return {
            measure: all(outcome.right for outcome in self.outcomes if outcome.measure is measure)
            for measure in Measure
            if any(outcome.measure is measure for outcome in self.outcomes)
        }

    @property
    def players(self) -> tuple[tuple[PlayerTruth, ReadPlayer | None], ...]:
        """Everybody whom the truth of a picture of at most five tells, with what was read of them; left to right."""
        if not isinstance(self.truth, PeopleTruth) or not isinstance(self.read, tuple):
            return ()
        return pairs(self.truth, self.read) if len(self.truth.players) <= LARGEST_GROUP else ()
