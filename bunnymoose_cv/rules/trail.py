"""The sliding trail: the places of the figures, the limit of how far back one may fall, and the ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bunnymoose_cv.rules.pose import Animal

START = 5
"""Space on which every figure starts, counted from the trail's rear end at the start of the game."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One player's moose or rabbit."""

    player: str
    animal: Animal


Places: TypeAlias = Mapping[Figure, int]
"""Space of each figure, counted from the trail's rear end at the start of the game; may pass either end."""


@dataclass(frozen=True, slots=True)
class Trail:
    """Row of spaces that moves along with its figures, so only their distances matter.

    The figures are in seat order of the first round, each player's moose before the rabbit.
    """

    spaces: int
    places: Places

    @classmethod
    def start(cls, spaces: int, players: Sequence[str]) -> Trail:
        """Return the trail with all figures on the fifth space."""
        animals = (Animal.MOOSE, Animal.RABBIT)
        return cls(spaces, {Figure(player, animal): START for player in players for animal in animals})

    def moved(self, figure: Figure, spaces: int) -> Trail:
        """Return the trail after one figure went ahead (or back, if negative).

        Spaces are moved from one end to the other, but never from under the foremost figure. So a figure that would be
        a whole trail behind the leader stops on the rearmost space, or is carried along on it.
        """
        places = {**self.places, figure: self.places[figure] + spaces}
        rearmost = max(places.values()) - (self.spaces - 1)
        return Trail(self.spaces, {each: max(place, rearmost) for each, place in places.items()})

    def last(self, animal: Animal) -> tuple[Figure, ...]:
        """Return the rearmost figures of one animal; there are several if they share the space."""
        places = {figure: place for figure, place in self.places.items() if figure.animal is animal}
        return tuple(figure for figure, place in places.items() if place == min(places.values()))


@dataclass(frozen=True, slots=True)
class Standing:
    """Place of a player in the ranking; `rear` and `front` are the spaces of the two figures."""

    place: int
    player: str
    rear: int
    front: int


def ranking(trail: Trail) -> tuple[Standing, ...]:
    """Rank all players, best first: by the rear figure, then by the front one. Players still tied share a place."""
    spaces: dict[str, list[int]] = {}
    for figure, space in trail.places.items():
        spaces.setdefault(figure.player, []).append(space)
    ends = {player: (min(both), max(both)) for player, both in spaces.items()}
    return tuple(
        Standing(1 + sum(other > ends[player] for other in ends.values()), player, *ends[player])
        for player in sorted(ends, key=ends.__getitem__, reverse=True)
    )
