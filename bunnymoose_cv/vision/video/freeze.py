"""Freeze: temporal aggregation of the readings around the cue, one per seat, and movements after it.

Debounces a pose that jitters around the cue: readings before the hands settle do not count, later ones are weighted.
Hands that still move at the cue settle within the window; a tongue out for a blink does not count, one held does; what
changes after the window is a move. One bad frame decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.headgear_reading import Field, HeadgearProbabilities
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from bunnymoose_cv.vision.settings import FREEZE
from bunnymoose_cv.vision.video.seats import Person, Places, people_of, seat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.core.profile import FreezeLimits
    from bunnymoose_cv.rules.pose import Headgear
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.reader import Reader


Samples: TypeAlias = Sequence[tuple[float, PlayerReading]]
"""Readings of one person in order of time, each with its time in seconds."""


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
        settled_s: until when each side was seen to hold what it shows.
        tongue_s: until when the tongue did, or until when it does not matter.
    """

    seat: int
    reading: PlayerReading | None
    settled_s: Mapping[Side, float] = field(default_factory=dict)
    tongue_s: float = math.inf


@dataclass(frozen=True, slots=True, eq=False)
class Freeze:
    """Aggregated readings of the frames around a cue.

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
    """Movement after the freeze that changed a pose.

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
        FrozenPlayer(number, None) if person is None else _frozen(person, number, window, reader)
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

    agreed = (_frozen(person_of(player), player.seat, window, reader).reading for player in shown.players)
    return replace(shown, players=tuple(reading for reading in agreed if reading is not None))


def movements(frozen: Freeze, readings: Sequence[FrameReading]) -> tuple[Movement, ...]:
    """Detect changes of headgear or tongue after it had settled.

    Args:
        frozen: what counts.
        readings: all that were made, those of the window and later ones, in order of time.
    """
    people = people_of([frozen.reading, *readings])
    moved = []
    for player in frozen.players:
        person = next((each for each in people if each.seen[0][1] is player.reading), None)
        if person is not None:
            later = [(time_s, reading, _changed(player, time_s, reading)) for time_s, reading in person.seen[1:]]
            changed = _first_confirmed(later)
            if changed is not None:
                moved.append(Movement(player.seat, *changed))
    return tuple(moved)


def _shown(frames: Sequence[FrameReading]) -> FrameReading:
    """The frame in the middle among those with the most players."""
    most = max(len(frame.players) for frame in frames)
    full = [frame for frame in frames if len(frame.players) == most]
    return full[len(full) // 2]


def _frozen(person: Person, number: int, window: Window, reader: Reader) -> FrozenPlayer:
    """Aggregate a person's readings at the cue, in the seat with this number."""
    until_end = [sample for sample in person.seen if sample[0] <= window.end_s] or list(person.seen)
    within = [sample for sample in until_end if sample[0] >= window.start_s] or until_end
    shown = replace(within[len(within) // 2][1].player, seat=number)
    settled = {side: _settled(until_end, side, window.cue_s) or within for side in Side}
    headgear = {side: _agreed_headgear(settled[side], side, reader) for side in Side}
    out, tongue_s = _held_tongue(until_end, window)
    return FrozenPlayer(
        number,
        PlayerReading(shown, headgear, reader.tongue_reading(out)),
        {side: settled[side][-1][0] for side in Side},
        tongue_s,
    )


# Headgear.


def _settled(samples: Samples, side: Side, cue_s: float) -> Samples:
    """The first readings in a row between which a side did not change and that reach beyond the cue; may be none."""
    run: list[tuple[float, PlayerReading]] = []
    surely_shown: list[Headgear] = []
    sure_length = 0
    for sample in samples:
        reading = sample[1].headgear[side]
        other = any(_is_other(reading, shown) for shown in surely_shown)
        if run and (other or _way(run[-1][1], sample[1], side) > FREEZE.still):
            held = run[:sure_length] or run
            if len(held) >= FREEZE.fewest_settled and held[-1][0] > cue_s + FREEZE.after_cue_s:
                return held
            run, surely_shown, sure_length = [], [], 0
        run.append(sample)
        if reading.sure:
            surely_shown, sure_length = [reading.headgear], len(run)
    return run if len(run) >= FREEZE.fewest_settled else []


def _is_other(reading: HeadgearReading, shown: Headgear) -> bool:
    """Tell if a reading surely shows another headgear; an antler that may be none, but is compact, is no wide one."""
    open_fields = {Field.KIND} if type(reading.headgear) is type(shown) else set()
    return reading.headgear != shown and open_fields.issuperset(reading.unclear)


def _way(before: PlayerReading, after: PlayerReading, side: Side) -> float:
    """Distance that a hand went against its head, in eye distances; 0 where it is not seen in both."""
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
    """Confidence-weighted mean of the readings, so that one blurred frame or missed hand counts little."""
    readings = [reading for _, reading in samples]
    found = [reading for reading in readings if side in reading.player.hands] or readings
    mean = _weighted([reading.headgear[side].probabilities for reading in readings])
    return reader.headgear_reading(found[len(found) // 2].player, side, mean)


def _weighted(all_of: Sequence[HeadgearProbabilities]) -> HeadgearProbabilities:
    """Confidence-weighted mean; antler fields are also weighted by P(antler), ear fields by P(ear)."""
    sure = np.array([max(each.antler, each.ear, each.neither) ** FREEZE.confidence_exponent for each in all_of])
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


def _held_tongue(samples: Samples, window: Window) -> tuple[float, float]:
    """The probability that the tongue was out for long enough, at the cue or still at the window's end.

    Returns:
        the probability, and until when what it tells was seen.
    """
    times = np.array([time_s for time_s, _ in samples])
    outs = np.array([reading.tongue.probability_out for _, reading in samples])
    for start, end in _stretches(_without_slips(outs) > EVEN):
        long_enough = times[end] - times[start] >= window.tongue_s or end - start + 1 == len(outs)
        at_the_cue = times[start] <= window.cue_s <= times[end]
        if long_enough and (at_the_cue or end == len(outs) - 1):
            return float(np.median(outs[start : end + 1])), float(times[end])
    counted = times >= window.start_s
    inside = [each for each in (counted & (outs <= EVEN), counted) if each.any()]
    return float(np.median(outs[inside[0]] if inside else outs)), float(times[-1])


EVEN: Final = 0.5
"""A tongue that is likelier out than this is out."""


def _without_slips(outs: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.float64]:
    """Median filter of width 3, so that one bad frame breaks no stretch."""
    if len(outs) < 3:  # noqa: PLR2004 - a value with two neighbours
        return outs
    around = np.stack([np.append(outs[:1], outs[:-1]), outs, np.append(outs[1:], outs[-1:])])
    return np.asarray(np.median(around, axis=0), np.float64)


def _stretches(held: np.typing.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], held, [False]]).astype(int)))
    return [(int(start), int(end) - 1) for start, end in zip(edges[::2], edges[1::2], strict=True)]


# Movements.


def _changed(frozen: FrozenPlayer, time_s: float, later: PlayerReading) -> bool:
    """Tell if a later reading surely shows something else than what had settled."""
    agreed = frozen.reading
    if agreed is None:
        return False
    surely = not (later.tongue.unclear or agreed.tongue.unclear)
    tongue = time_s > frozen.tongue_s and surely and later.tongue.tongue is not agreed.tongue.tongue
    return tongue or any(
        time_s > settled_s and _other_headgear(agreed, later, side) for side, settled_s in frozen.settled_s.items()
    )


def _other_headgear(frozen: PlayerReading, later: PlayerReading, side: Side) -> bool:
    """Tell if a side surely shows another headgear, or its hand has left the place."""
    before, after = frozen.headgear[side], later.headgear[side]
    surely = before.sure and after.sure
    return (surely and before.headgear != after.headgear) or _way(frozen, later, side) > FREEZE.left_its_place


def _first_confirmed(
    samples: Sequence[tuple[float, PlayerReading, bool]],
) -> tuple[float, PlayerReading] | None:
    """Debounce: the first of so many readings in a row that show a change."""
    for start in range(len(samples) - FREEZE.confirming_frames + 1):
        if all(changed for _, _, changed in samples[start : start + FREEZE.confirming_frames]):
            return samples[start][0], samples[start][1]
    return None
