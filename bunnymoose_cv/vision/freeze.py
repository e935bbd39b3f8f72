"""Readings of the frames around the cue put together: one reading per seat, how sure it is, and who moved after it.

Hands that still move at the cue settle within the window; a tongue out for a blink does not count, one held does; what
changes after the window is a move. One bad frame decides nothing. Owns no frames, no cue and no seats (seating.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear import HeadgearProbabilities
from bunnymoose_cv.vision.reader import FrameReading, PlayerReading
from bunnymoose_cv.vision.seating import Person, Places, people_of, seat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.profile import FreezeLimits
    from bunnymoose_cv.vision.headgear import HeadgearReading
    from bunnymoose_cv.vision.reader import Reader

Samples: TypeAlias = Sequence[tuple[float, PlayerReading]]
"""Readings of one person in order of time, each with its time in seconds."""

STILL: Final = 0.35
"""Joints of a hand that lie farther apart from one reading to the next, in eye distances on average, are moving."""

FEWEST_SETTLED: Final = 3
"""However late a hand moved, so many readings decide together: a slip of the last one alone must not."""

LEFT_ITS_PLACE: Final = 1.0
"""A hand this far from where it was in the freeze, in eye distances, has moved off."""

SURENESS_COUNTS: Final = 4
"""A reading half as sure as another counts for two to the power of so many times less."""

CONFIRMED: Final = 2
"""So many readings one after the other must show a change; one alone is a slip."""


@dataclass(frozen=True, slots=True)
class Window:
    """The times around a cue, in seconds.

    Attributes:
        cue_s: when Bam was said.
        start_s: from here on hands count.
        end_s: until here they may settle.
        watched_until_s: until here a change is a move.
        step_s: from one frame that is read to the next.
        tongue_s: how long a tongue must be out to count.
    """

    cue_s: float
    start_s: float
    end_s: float
    watched_until_s: float
    step_s: float
    tongue_s: float

    @classmethod
    def around(cls, cue_s: float, limits: FreezeLimits) -> Window:
        """The window around a cue."""
        length_s = limits.before_s + limits.after_s
        return cls(
            cue_s=cue_s,
            start_s=cue_s - limits.before_s,
            end_s=cue_s + limits.after_s,
            watched_until_s=cue_s + limits.after_s + limits.watched_s,
            step_s=length_s / max(1.0, limits.frames - 1),
            tongue_s=limits.tongue_s,
        )

    @property
    def read_s(self) -> tuple[float, ...]:
        """The times that are read: all of the window, and what tells of a tongue at the cue how long it was out."""
        lead = max(0, math.ceil((self.tongue_s - (self.cue_s - self.start_s)) / self.step_s))
        count = round((self.end_s - self.start_s) / self.step_s) + 1
        return tuple(self.start_s + number * self.step_s for number in range(-lead, count))

    @property
    def watched_s(self) -> tuple[float, ...]:
        """The times that are read afterwards, to see who moves."""
        count = int((self.watched_until_s - self.end_s) / self.step_s)
        return tuple(self.end_s + number * self.step_s for number in range(1, count + 1))


@dataclass(frozen=True, slots=True, eq=False)
class FrozenPlayer:
    """One seat in the freeze.

    Attributes:
        seat: counted from 1 at the picture's left.
        reading: what the player shows; None where the player's face was not found.
    """

    seat: int
    reading: PlayerReading | None


@dataclass(frozen=True, slots=True, eq=False)
class Freeze:
    """What the frames around a cue show together.

    Attributes:
        reading: the frame to show, with the agreed readings of everybody who was seen.
        players: one a seat, from the left.
        places: where everybody sits, if everybody was seen; else where they were known to sit before.
    """

    reading: FrameReading
    players: tuple[FrozenPlayer, ...]
    places: Places | None


@dataclass(frozen=True, slots=True, eq=False)
class Movement:
    """Somebody changed what the freeze had shown.

    Attributes:
        seat: whose.
        time_s: when it is first seen.
        reading: what it shows.
    """

    seat: int
    time_s: float
    reading: PlayerReading


def freeze(
    frames: Sequence[FrameReading], window: Window, reader: Reader, seats: int, places: Places | None = None
) -> Freeze:
    """Put the readings around a cue together, for players whose number is known.

    Args:
        frames: at least one reading, in order of time; those before the window tell how long a tongue was out.
        window: the times that count.
        reader: whose limits decide what is unclear.
        seats: how many players sit there.
        places: where they sit, if everybody was seen before.
    """
    shown = _shown([frame for frame in frames if frame.time_s >= window.start_s] or frames)
    row = seat(people_of(frames), seats, shown.picture.shape[1], places)
    players = tuple(
        FrozenPlayer(number, None if person is None else _frozen(person, number, window, reader))
        for number, person in enumerate(row, 1)
    )
    agreed = tuple(player.reading for player in players if player.reading is not None)
    known = tuple(person.centre[0] for person in row if person is not None)
    return Freeze(replace(shown, players=agreed), players, known if len(known) == seats else places)


def agree(frames: Sequence[FrameReading], window: Window, reader: Reader) -> FrameReading:
    """Put readings together where nobody knows how many players there are.

    The frame in the middle among those with the most players lends its picture; everybody in it is a player.

    Args:
        frames: at least one reading, in order of time.
        window: the times that count.
        reader: whose limits decide what is unclear.
    """
    shown = _shown([frame for frame in frames if frame.time_s >= window.start_s] or frames)
    people = people_of(frames)

    def person_of(player: PlayerReading) -> Person:
        return next(person for person in people if any(reading is player for _, reading in person.seen))

    agreed = (_frozen(person_of(player), player.seat, window, reader) for player in shown.players)
    return replace(shown, players=tuple(agreed))


def movements(frozen: Freeze, later: Sequence[FrameReading]) -> tuple[Movement, ...]:
    """Who changed headgear or tongue after the freeze.

    Args:
        frozen: what counts.
        later: readings after the window, in order of time.
    """
    people = people_of([frozen.reading, *later])
    moved = []
    for player in frozen.reading.players:
        person = next(person for person in people if any(reading is player for _, reading in person.seen))
        changed = _first_confirmed(
            [(time_s, reading, _changed(player, reading)) for time_s, reading in person.seen[1:]]
        )
        if changed is not None:
            moved.append(Movement(player.seat, *changed))
    return tuple(moved)


def _shown(frames: Sequence[FrameReading]) -> FrameReading:
    """The frame in the middle among those with the most players."""
    most = max(len(frame.players) for frame in frames)
    full = [frame for frame in frames if len(frame.players) == most]
    return full[len(full) // 2]


def _frozen(person: Person, number: int, window: Window, reader: Reader) -> PlayerReading:
    """What a person shows in the window, in the seat with this number."""
    within = [sample for sample in person.seen if window.start_s <= sample[0] <= window.end_s] or list(person.seen)
    shown = replace(within[len(within) // 2][1].player, seat=number)
    headgear = {side: _agreed_headgear(_settled(within, side), side, reader) for side in Side}
    before_end = [sample for sample in person.seen if sample[0] <= window.end_s] or within
    return PlayerReading(shown, headgear, reader.tongue_reading(_held_tongue(before_end, window)))


# Headgear.


def _settled(samples: Samples, side: Side) -> Samples:
    """The readings after the last movement of a side's hand."""
    last_move = 0
    for index, ((_, before), (_, after)) in enumerate(pairwise(samples), 1):
        if _way(before, after, side) > STILL:
            last_move = index
    return samples[max(0, min(last_move, len(samples) - FEWEST_SETTLED)) :]


def _way(before: PlayerReading, after: PlayerReading, side: Side) -> float:
    """How far a hand went against its head, in eye distances; 0 where it is not seen in both."""
    hands = [reading.player.hands.get(side) for reading in (before, after)]
    if hands[0] is None or hands[1] is None:
        return 0.0
    places = [
        reading.player.head.measure(hand.points)
        for reading, hand in zip((before, after), hands, strict=True)
        if hand is not None
    ]
    return float(np.linalg.norm(places[1] - places[0], axis=1).mean())


def _agreed_headgear(samples: Samples, side: Side, reader: Reader) -> HeadgearReading:
    """The mean of the readings; each counts by how sure it is, so that one blurred frame or missed hand does not."""
    readings = [reading for _, reading in samples]
    found = [reading for reading in readings if side in reading.player.hands] or readings
    mean = _weighted([reading.headgear[side].probabilities for reading in readings])
    return reader.headgear.reading_of(found[len(found) // 2].player, side, mean)


def _weighted(all_of: Sequence[HeadgearProbabilities]) -> HeadgearProbabilities:
    """The mean by confidence; what an antler shows counts as far as it is an antler, likewise with an ear."""
    sure = np.array([max(each.antler, each.ear, each.neither) ** SURENESS_COUNTS for each in all_of])
    antlers = sure * [each.antler for each in all_of]
    ears = sure * [each.ear for each in all_of]

    def mean(values: Iterable[float], weights: np.typing.NDArray[np.float64]) -> float:
        return float(np.average(list(values), weights=weights + 1e-9))

    return HeadgearProbabilities(
        antler=mean((each.antler for each in all_of), sure),
        ear=mean((each.ear for each in all_of), sure),
        neither=mean((each.neither for each in all_of), sure),
        wide=mean((each.wide for each in all_of), antlers),
        up=mean((each.up for each in all_of), antlers),
        straight=mean((each.straight for each in all_of), ears),
        top=mean((each.top for each in all_of), ears),
    )


# The tongue.


def _held_tongue(samples: Samples, window: Window) -> float:
    """The probability that the tongue was out for long enough, at the cue or still at the window's end."""
    times = np.array([time_s for time_s, _ in samples])
    outs = np.array([reading.tongue.probability_out for _, reading in samples])
    counted = times >= window.start_s
    for start, end in _stretches(_without_slips(outs) > 0.5):  # noqa: PLR2004 - the likelier of two
        long_enough = times[end] - times[start] >= window.tongue_s or end - start + 1 == len(outs)
        at_the_cue = times[start] <= window.cue_s <= times[end]
        if long_enough and (at_the_cue or end == len(outs) - 1):
            return float(np.median(outs[start : end + 1]))
    inside = counted & (outs <= 0.5) if (counted & (outs <= 0.5)).any() else counted  # noqa: PLR2004 - likewise
    return float(np.median(outs[inside])) if inside.any() else float(np.median(outs))


def _without_slips(outs: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.float64]:
    """Each value the middle one of itself and its neighbours, so that one bad frame breaks no stretch."""
    if len(outs) < 3:  # noqa: PLR2004 - a value with two neighbours
        return outs
    around = np.stack([np.append(outs[:1], outs[:-1]), outs, np.append(outs[1:], outs[-1:])])
    return np.asarray(np.median(around, axis=0), np.float64)


def _stretches(held: np.typing.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], held, [False]]).astype(int)))
    return [(int(start), int(end) - 1) for start, end in zip(edges[::2], edges[1::2], strict=True)]


# Movements.


def _changed(frozen: PlayerReading, later: PlayerReading) -> bool:
    """Whether a later reading surely shows something else."""
    tongue = later.tongue.tongue is not frozen.tongue.tongue and not (later.tongue.unclear or frozen.tongue.unclear)
    return tongue or any(_other_headgear(frozen, later, side) for side in Side)


def _other_headgear(frozen: PlayerReading, later: PlayerReading, side: Side) -> bool:
    """Whether a side surely shows another headgear, or its hand has left the place."""
    before, after = frozen.headgear[side], later.headgear[side]
    surely = not before.unclear and not after.unclear
    return (surely and before.headgear != after.headgear) or _way(frozen, later, side) > LEFT_ITS_PLACE


def _first_confirmed(
    samples: Sequence[tuple[float, PlayerReading, bool]],
) -> tuple[float, PlayerReading] | None:
    """The first of so many readings in a row that show a change."""
    for start in range(len(samples) - CONFIRMED + 1):
        if all(changed for _, _, changed in samples[start : start + CONFIRMED]):
            return samples[start][0], samples[start][1]
    return None
