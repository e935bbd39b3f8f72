"""Seats: identity of players across readings, and the row of players apart from bystanders.

How many sit in the row is known from the game. Whoever is not seen keeps the seat.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from bunnymoose_cv.vision.settings import SEATS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading


Sample: TypeAlias = "tuple[float, PlayerReading]"
"""Reading of one person with its time in seconds."""

Places: TypeAlias = tuple[float, ...]
"""Last position of each seat, from the left: shares of the image's width, since a stream may change its size."""


@dataclass(frozen=True, eq=False)
class Person:
    """Track of one person through several readings.

    Attributes:
        seen: the readings of this person, in order of time, each with its time in seconds.
        frame_count: number of frames that were read.
        before: readings of this person alone from before the cue.
    """

    seen: tuple[Sample, ...]
    frame_count: int
    before: tuple[Sample, ...] = ()

    @property
    def samples(self) -> tuple[Sample, ...]:
        """All readings, in order of time; of a frame that was glanced at and read, what was read."""
        read_s = {time_s for time_s, _ in self.seen}
        earlier = (sample for sample in self.before if sample[0] not in read_s)
        return tuple(sorted((*earlier, *self.seen), key=lambda sample: sample[0]))

    def nearest(self, time_s: float) -> PlayerReading:
        """The reading nearest to a time."""
        return min(self.seen, key=lambda sample: abs(sample[0] - time_s))[1]

    @cached_property
    def centre(self) -> tuple[float, float]:
        """Median position of the eyes, pixels."""
        x, y = np.median([reading.player.head.centre for _, reading in self.seen], axis=0)
        return float(x), float(y)

    @cached_property
    def eye_distance(self) -> float:
        """Median eye distance, pixels."""
        return float(np.median([reading.player.head.eye_distance for _, reading in self.seen]))

    @property
    def share(self) -> float:
        """Share of the readings in which the person was seen."""
        return len(self.seen) / self.frame_count

    def distance_to_last(self, reading: PlayerReading) -> float:
        """Distance of a reading from this person's last position, in eye distances."""
        return _apart(self.seen[-1][1], reading)

    def distance_to_first(self, reading: PlayerReading) -> float:
        """Distance of an earlier reading from this person's first position, in eye distances."""
        return _apart(self.seen[0][1], reading)


def _apart(reading: PlayerReading, other: PlayerReading) -> float:
    """Distance between two readings' eyes, in eye distances of the first."""
    head = reading.player.head
    return float(np.linalg.norm(np.subtract(other.player.head.centre, head.centre))) / head.eye_distance


def people_of(frames: Sequence[FrameReading], before: Sequence[Sample] = ()) -> tuple[Person, ...]:
    """Group readings by person, from left to right.

    Args:
        frames: in order of time.
        before: readings of single people from before the cue; those of nobody in the frames are dropped.
    """
    people = _group_by_person(frames)
    for sample in before:
        same = min(people, key=lambda person: person.distance_to_first(sample[1]), default=None)
        if same is not None and same.distance_to_first(sample[1]) < SEATS.same_place:
            people[people.index(same)] = replace(same, before=(*same.before, sample))
    return tuple(sorted(people, key=lambda person: person.centre[0]))


def _group_by_person(frames: Sequence[FrameReading]) -> list[Person]:
    people: list[Person] = []
    for frame in frames:
        free = list(people)
        for reading in frame.players:
            same = min(free, key=lambda person: person.distance_to_last(reading), default=None)
            seen = ((frame.time_s, reading),)
            if same is not None and same.distance_to_last(reading) < SEATS.same_place:
                free.remove(same)
                people[people.index(same)] = Person(same.seen + seen, len(frames))
            else:
                people.append(Person(seen, len(frames)))
    return people


def seat(people: Sequence[Person], seats: int, width: int, places: Places | None = None) -> tuple[Person | None, ...]:
    """Assign people to seats.

    Args:
        people: everybody who was seen, from left to right.
        places: where the seats are, if everybody was seen before.

    Returns:
        one entry a seat, from the left; None for a player who was not found. Who is left over is a bystander.
    """
    places_px = None if places is None else tuple(width * place for place in places)
    row = row_of([person for person in people if person.share >= SEATS.seen_often], seats, places_px)
    taken = _taken_seats([person.centre[0] for person in row], seats, width, places_px)
    by_seat = dict(zip(taken, row, strict=True))
    return tuple(by_seat.get(number) for number in range(seats))


def seated(reading: FrameReading, seats: int, places: Places | None = None) -> FrameReading:
    """Restrict a reading to its players, each with the seat; whoever is not found is missing.

    Args:
        places: where the seats are, if everybody was seen before.
    """
    row = seat(people_of([reading]), seats, reading.image.shape[1], places)
    found = ((number, person.seen[0][1]) for number, person in enumerate(row, 1) if person is not None)
    players = tuple(replace(each, player=replace(each.player, seat=number)) for number, each in found)
    return replace(reading, players=players, bystanders=len(reading.players) - len(players))


def row_of(people: Sequence[Person], seats: int, places_px: Sequence[float] | None = None) -> list[Person]:
    """Choose the players among the people: alike in size and height, often seen, and nearest to known seats.

    Args:
        people: everybody who was seen, from left to right.
        places_px: where the seats are, if everybody was seen before; pixels from the left edge.
    """
    if len(people) <= seats:
        return list(people)
    largest = max(person.eye_distance for person in people)
    nearer = sorted(people, key=lambda person: person.eye_distance, reverse=True)[:seats]
    height = float(np.median([person.centre[1] for person in nearer]))

    def row_cost(person: Person) -> float:
        """Cost of a person as a player: smaller, off the row, seldom seen."""
        off_row = abs(person.centre[1] - height) / (SEATS.face_height * largest)
        off_seat = min(abs(person.centre[0] - place) for place in places_px) / largest if places_px else 0.0
        return 2 * (largest / person.eye_distance - 1) + off_row + off_seat + (1 - person.share)

    players = sorted(people, key=row_cost)[:seats]
    return [person for person in people if person in players]


def _taken_seats(xs: Sequence[float], seats: int, width: int, places_px: Sequence[float] | None) -> tuple[int, ...]:
    """Seats of the people found, in order: where the seats are known to be, or as evenly as can be."""
    if places_px is not None and len(places_px) == seats:

        def cost(chosen: tuple[int, ...]) -> float:
            return float(sum(abs(x - places_px[number]) for x, number in zip(xs, chosen, strict=True)))

    else:

        def cost(chosen: tuple[int, ...]) -> float:
            return _unevenness(xs, chosen, seats, width)

    return min(combinations(range(seats), len(xs)), key=cost)


def _unevenness(xs: Sequence[float], chosen: tuple[int, ...], seats: int, width: int) -> float:
    """Cost of a row of evenly spaced seats against the people found, and the image's middle; pixels."""
    if len(xs) > 1:
        step, first = np.polyfit(chosen, xs, 1)
    else:
        step, first = width / seats, xs[0] - chosen[0] * width / seats if xs else width / seats / 2
    missed = np.abs(np.subtract(xs, first + step * np.asarray(chosen))).sum() if xs else 0.0
    middle = first + step * (seats - 1) / 2
    return float(missed + SEATS.off_middle * abs(middle - width / 2))
