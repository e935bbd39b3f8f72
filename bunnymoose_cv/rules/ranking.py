"""Ranking: the order of the players by their figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bunnymoose_cv.rules.trail import Trail


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in the ranking; `rear` and `front` are the spaces of the two figures."""

    place: int
    player: str
    rear: int
    front: int


def ranking(trail: Trail) -> tuple[Standing, ...]:
    """All players, best first: by the rear figure, then by the front one; who is still tied shares the place."""
    spaces: dict[str, list[int]] = {}
    for figure, space in trail.places.items():
        spaces.setdefault(figure.player, []).append(space)
    ends = {player: (min(both), max(both)) for player, both in spaces.items()}
    return tuple(
        Standing(1 + sum(other > ends[player] for other in ends.values()), player, *ends[player])
        for player in sorted(ends, key=ends.__getitem__, reverse=True)
    )
