"""Settling: when each player of a row reached the pose that was held at last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.settings import FREEZE
from bunnymoose_cv.vision.video.movement import shows_other
from bunnymoose_cv.vision.video.seats import people_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.freeze import Freeze
    from bunnymoose_cv.vision.video.seats import Sample


@dataclass(frozen=True, slots=True)
class Settling:
    """End of the last change of one player.

    Attributes:
        seat: number of the seat, 1 at the left.
        time_s: time of the first reading of the pose that was held until the end; None if no change was seen.
    """

    seat: int
    time_s: float | None


def settlings(readings: Sequence[FrameReading], held: Freeze) -> tuple[Settling, ...]:
    """Find when each player who was seen settled.

    Args:
        readings: in order of time.
        held: what everybody holds at their end.
    """
    people = people_of([held.reading, *readings])
    found = []
    for player in held.players:
        person = next((each for each in people if each.seen[0][1] is player.reading), None)
        if person is not None and player.reading is not None:
            found.append(Settling(player.seat, _settled_s(player.reading, person.seen[1:])))
    return tuple(found)


def _settled_s(held: PlayerReading, samples: Sequence[Sample]) -> float | None:
    """Return the time of the first reading after the last debounced run of readings that show something else."""
    other = [shows_other(held, reading) for _, reading in samples]
    for end in range(len(samples) - 1, FREEZE.debounce_readings - 1, -1):
        if all(other[end - FREEZE.debounce_readings : end]) and not other[end]:
            return samples[end][0]
    return None
