"""The sliding trail: where the figures stand and how far back one may fall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bunnymoose_cv.rules.pose import Animal

START = 5
"""The space that every figure starts on, counted from the rear end that the trail has at the start."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One player's moose or rabbit."""

    player: str
    animal: Animal


Places: TypeAlias = Mapping[Figure, int]
"""The space of each figure, counted from the rear end that the trail had at the start; may pass either end."""


@dataclass(frozen=True, slots=True)
class Trail:
    """A row of spaces that moves along with its figures, so that only their distances matter.

    Attributes:
        spaces: how many spaces lie on the table.
        places: where the figures stand, in seat order of the first round, each player's moose before the rabbit.
    """

    spaces: int
    places: Places

    @classmethod
    def start(cls, spaces: int, players: Sequence[str]) -> Trail:
        """All figures on the fifth space."""
        animals = (Animal.MOOSE, Animal.RABBIT)
        return cls(spaces, {Figure(player, animal): START for player in players for animal in animals})

    def moved(self, figure: Figure, spaces: int) -> Trail:
        """The trail after one figure went ahead (or back, when negative).

        Spaces are taken from one end and laid at the other, never from under the foremost figure: so a figure stops on
        the rearmost space, or is taken along on it, when it would be a whole trail behind the leader.
        """
        places = {**self.places, figure: self.places[figure] + spaces}
        rearmost = max(places.values()) - (self.spaces - 1)
        return Trail(self.spaces, {each: max(place, rearmost) for each, place in places.items()})

    def last(self, animal: Animal) -> tuple[Figure, ...]:
        """The figures farthest behind among all of one animal; several when they share the space."""
        places = {figure: place for figure, place in self.places.items() if figure.animal is animal}
        return tuple(figure for figure, place in places.items() if place == min(places.values()))
