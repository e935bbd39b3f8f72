"""Changes of a pose in time: movements after a freeze, and the time at which each player settled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.settings import FREEZE
from bunnymoose_cv.vision.video.player_estimate import hand_way
from bunnymoose_cv.vision.video.seats import people_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.freeze import Freeze, FrozenPlayer
    from bunnymoose_cv.vision.video.seats import Sample


@dataclass(frozen=True, slots=True, eq=False)
class Movement:
    """Movement after the freeze that changed a pose, with the first reading that shows it."""

    seat: int
    time_s: float
    reading: PlayerReading


def movements(frozen: Freeze, readings: Sequence[FrameReading]) -> tuple[Movement, ...]:
    """Detect changes of headgear or tongue after they had settled.

    Args:
        readings: all readings, in order of time, from the window and after it.
    """
    moved = []
    for player, agreed, seen in _followed(frozen, readings):
        samples = [sample for sample in seen if not sample[1].is_reused]
        changed = [_has_changed(player, agreed, *sample) for sample in samples]
        runs = range(len(samples) - FREEZE.debounce_readings + 1)
        first = next((start for start in runs if all(changed[start : start + FREEZE.debounce_readings])), None)
        if first is not None:
            moved.append(Movement(player.seat, *samples[first]))
    return tuple(moved)


def _followed(
    held: Freeze, readings: Sequence[FrameReading]
) -> Iterator[tuple[FrozenPlayer, PlayerReading, Sequence[Sample]]]:
    """Yield each player who was seen, with the agreed reading and all readings of the same person."""
    people = people_of([held.reading, *readings])
    for player in held.players:
        person = next((person for person in people if person.seen[0][1] is player.reading), None)
        if person is not None:
            (_, agreed), *seen = person.seen
            yield player, agreed, seen


def _has_changed(frozen: FrozenPlayer, agreed: PlayerReading, time_s: float, later: PlayerReading) -> bool:
    """Return whether a later reading surely contradicts the settled pose."""
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
    """Return whether a side has changed: the headgear differs or the hand has left its place, with enough certainty.

    Two of three conditions must hold: both readings are sure, the headgear differs, the hand has left its place. One is
    not enough, since the joints of an unsure reading may be on a forearm or belong to a neighbour.
    """
    before, after = frozen.headgear[side], later.headgear[side]
    surely = before.sure and after.sure
    other = before.headgear != after.headgear
    away = hand_way(frozen, later, side) > FREEZE.left_its_place
    return (surely and other) or (away and (surely or other))


@dataclass(frozen=True, slots=True)
class Settling:
    """Time of the first reading of the pose that a player held until the end; None if no change was seen."""

    seat: int
    time_s: float | None


def settlings(readings: Sequence[FrameReading], held: Freeze) -> tuple[Settling, ...]:
    """Find when each player who was seen settled in the pose held at the end of the readings, in order of time."""
    return tuple(Settling(player.seat, _settled_s(agreed, seen)) for player, agreed, seen in _followed(held, readings))


def _settled_s(held: PlayerReading, samples: Sequence[Sample]) -> float | None:
    """Return the time of the first reading after the last debounced run of readings that show something else."""
    other = [shows_other(held, reading) for _, reading in samples]
    for end in range(len(samples) - 1, FREEZE.debounce_readings - 1, -1):
        if all(other[end - FREEZE.debounce_readings : end]) and not other[end]:
            return samples[end][0]
    return None
