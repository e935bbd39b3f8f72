"""Seats: matching of people across readings, and separation of the row of players from bystanders.

The game gives the number of seats. A player who is not seen keeps the seat.
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
"""Last position of each seat, from the left, as a share of the image's width, since a stream may change its size."""


@dataclass(frozen=True, eq=False)
class Person:
    """Track of one person through several readings.

    Attributes:
        seen: the readings of this person, in order of time.
        frame_count: number of frames that were read.
        before: readings of this person from glances before the cue.
    """

    seen: tuple[Sample, ...]
    frame_count: int
    before: tuple[Sample, ...] = ()

    @property
    def samples(self) -> tuple[Sample, ...]:
        """All readings, in order of time. If a frame was both glanced at and read, only the reading is kept."""
        read_s = {time_s for time_s, _ in self.seen}
        earlier = (sample for sample in self.before if sample[0] not in read_s)
        return tuple(sorted((*earlier, *self.seen), key=lambda sample: sample[0]))

    def nearest(self, time_s: float) -> PlayerReading:
        """Return the reading nearest to a time."""
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


def _same_person(people: Sequence[Person], reading: PlayerReading, at: int) -> Person | None:
    """Return the person nearest to a reading by the first (0) or last (-1) reading, or None if all are too far off."""

    def apart(person: Person) -> float:
        head = person.seen[at][1].player.head
        return float(np.linalg.norm(np.subtract(reading.player.head.centre, head.centre))) / head.eye_distance

    nearest = min(people, key=apart, default=None)
    return nearest if nearest is not None and apart(nearest) < SEATS.same_place else None


def people_of(frames: Sequence[FrameReading], before: Sequence[Sample] = ()) -> tuple[Person, ...]:
    """Group the readings of frames, in order of time, by person, from left to right.

    Readings of single people from before the cue are added; those of a person not in the frames are dropped.
    """
    people = _group_by_person(frames)
    for sample in before:
        same = _same_person(people, sample[1], 0)
        if same is not None:
            people[people.index(same)] = replace(same, before=(*same.before, sample))
    return tuple(sorted(people, key=lambda person: person.centre[0]))


def _group_by_person(frames: Sequence[FrameReading]) -> list[Person]:
    people: list[Person] = []
    for frame in frames:
        free = list(people)
        for reading in frame.players:
            same = _same_person(free, reading, -1)
            seen = ((frame.time_s, reading),)
            if same is None:
                people.append(Person(seen, len(frames)))
            else:
                free.remove(same)
                people[people.index(same)] = Person(same.seen + seen, len(frames))
    return people


def seat(people: Sequence[Person], seats: int, width: int, places: Places | None = None) -> tuple[Person | None, ...]:
    """Assign people, given from left to right, to seats. All others are bystanders.

    Args:
        width: width of the image, pixels.
        places: the known positions of the seats; None until all players have been seen.

    Returns:
        one entry per seat, from the left; None for a player who was not found.
    """
    places_px = None if places is None else tuple(width * place for place in places)
    row = row_of([person for person in people if person.share >= SEATS.seen_often], seats, places_px)
    taken = _taken_seats([person.centre[0] for person in row], seats, width, places_px)
    by_seat = dict(zip(taken, row, strict=True))
    return tuple(by_seat.get(number) for number in range(seats))


def seated(reading: FrameReading, seats: int, places: Places | None = None) -> FrameReading:
    """Restrict a reading to the players found in it, each with the number of the seat."""
    row = seat(people_of([reading]), seats, reading.image.shape[1], places)
    found = ((number, person.seen[0][1]) for number, person in enumerate(row, 1) if person is not None)
    players = tuple(replace(each, player=replace(each.player, seat=number)) for number, each in found)
    return replace(reading, players=players, bystanders=len(reading.players) - len(players))


def row_of(people: Sequence[Person], seats: int, places_px: Sequence[float] | None = None) -> list[Person]:
    """Choose the players among the people: large faces at one height, often seen, and near the known seats, pixels."""
    if len(people) <= seats:
        return list(people)
    largest = max(person.eye_distance for person in people)
    nearer = sorted(people, key=lambda person: person.eye_distance, reverse=True)[:seats]
    height = float(np.median([person.centre[1] for person in nearer]))

    def row_cost(person: Person) -> float:
        """Return the cost of a person as a player: small, off the row or its seats, or seldom seen."""
        off_row = abs(person.centre[1] - height) / (SEATS.face_height * largest)
        off_seat = min(abs(person.centre[0] - place) for place in places_px) / largest if places_px else 0.0
        return 2 * (largest / person.eye_distance - 1) + off_row + off_seat + (1 - person.share)

    players = sorted(people, key=row_cost)[:seats]
    return [person for person in people if person in players]


def _taken_seats(xs: Sequence[float], seats: int, width: int, places_px: Sequence[float] | None) -> tuple[int, ...]:
    """Return the seat index of each person found, by the known seats or as evenly spaced as possible."""

    def cost(chosen: tuple[int, ...]) -> float:
        if places_px is None or len(places_px) != seats:
            return _unevenness(xs, chosen, seats, width)
        return float(sum(abs(x - places_px[number]) for x, number in zip(xs, chosen, strict=True)))

    return min(combinations(range(seats), len(xs)), key=cost)


def _unevenness(xs: Sequence[float], chosen: tuple[int, ...], seats: int, width: int) -> float:
    """Return the misfit, in pixels, of evenly spaced seats to the people found and to the image's middle."""
    if len(xs) > 1:
        step, first = np.polyfit(chosen, xs, 1)
    else:
        step, first = width / seats, xs[0] - chosen[0] * width / seats if xs else width / seats / 2
    missed = np.abs(np.subtract(xs, first + step * np.asarray(chosen))).sum() if xs else 0.0
    middle = first + step * (seats - 1) / 2
    return float(missed + SEATS.off_middle * abs(middle - width / 2))
