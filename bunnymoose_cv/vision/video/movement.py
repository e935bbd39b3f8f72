"""Movement detection: changes of headgear or tongue after a freeze."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.settings import FREEZE
from bunnymoose_cv.vision.video.seats import people_of
from bunnymoose_cv.vision.video.side_estimate import hand_way

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.freeze import Freeze, FrozenPlayer


@dataclass(frozen=True, slots=True, eq=False)
class Movement:
    """Movement after the freeze that changed a pose.

    Attributes:
        time_s: when it is first seen.
        reading: what it shows.
    """

    seat: int
    time_s: float
    reading: PlayerReading


def movements(frozen: Freeze, readings: Sequence[FrameReading]) -> tuple[Movement, ...]:
    """Detect changes of headgear or tongue after it had settled.

    Args:
        readings: all that were made, those of the window and later ones, in order of time.
    """
    people = people_of([frozen.reading, *readings])
    moved = []
    for player in frozen.players:
        person = next((each for each in people if each.seen[0][1] is player.reading), None)
        if person is not None:
            looked_at = ((time_s, reading) for time_s, reading in person.seen[1:] if not reading.is_reused)
            later = [(time_s, reading, _changed(player, time_s, reading)) for time_s, reading in looked_at]
            changed = _first_confirmed(later)
            if changed is not None:
                moved.append(Movement(player.seat, *changed))
    return tuple(moved)


def _changed(frozen: FrozenPlayer, time_s: float, later: PlayerReading) -> bool:
    """Tell if a later reading surely shows something else than what had settled."""
    agreed = frozen.reading
    if agreed is None:
        return False
    return (time_s > frozen.tongue_s and _other_tongue(agreed, later)) or any(
        time_s > settled_s and _other_headgear(agreed, later, side) for side, settled_s in frozen.settled_s.items()
    )


def shows_other(agreed: PlayerReading, other: PlayerReading) -> bool:
    """Return whether a reading surely shows another tongue or headgear than was agreed."""
    return _other_tongue(agreed, other) or any(_other_headgear(agreed, other, side) for side in agreed.headgear)


def _other_tongue(agreed: PlayerReading, later: PlayerReading) -> bool:
    surely = not (later.tongue.unclear or agreed.tongue.unclear)
    return surely and later.tongue.tongue is not agreed.tongue.tongue


def _other_headgear(frozen: PlayerReading, later: PlayerReading, side: Side) -> bool:
    """Tell if two of three hold: both readings are sure, the headgear is another, the hand has left its place.

    One alone is not enough: in an unsure reading the joints may lie on a forearm or be a neighbour's.
    """
    before, after = frozen.headgear[side], later.headgear[side]
    surely = before.sure and after.sure
    other = before.headgear != after.headgear
    away = hand_way(frozen, later, side) > FREEZE.left_its_place
    return (surely and other) or (away and (surely or other))


def _first_confirmed(
    samples: Sequence[tuple[float, PlayerReading, bool]],
) -> tuple[float, PlayerReading] | None:
    """First of several readings in a row that show a change (debounce)."""
    for start in range(len(samples) - FREEZE.debounce_readings + 1):
        if all(changed for _, _, changed in samples[start : start + FREEZE.debounce_readings]):
            return samples[start][0], samples[start][1]
    return None
