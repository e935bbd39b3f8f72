"""A second scorer, written from the rulebook alone, which checks the scores of whole rounds.

It works on notation and shares no code with the package. It knows the second edition with its advanced cards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

TRAIL_SPACES: Final = 18
FIFTH_SPACE: Final = 5
ANTLERS: Final = ("WU", "WD", "CU", "CD")
EARS: Final = ("TS", "TF", "SS", "SF")
ANIMALS: Final = ("moose", "rabbit")


def species(pose: str) -> str:
    """Return the animal that a pose counts as: `moose`, `rabbit` or `bush`."""
    left, right, *tongue = pose.split()
    if left in ANTLERS and right in ANTLERS:
        return "rabbit" if tongue else "moose"
    if left in EARS and right in EARS:
        return "moose" if tongue else "rabbit"
    return "bush"


def score(pose: str, cards: str) -> int:
    """Return the number of spaces that the figure moves for a pose that is not a bush."""
    points, factor = 0, 1
    for card in cards.split():
        if card == "REVERSE":
            factor = -factor
        elif card.endswith("*2"):
            factor *= 2 if card[:-2].lower() == species(pose) else 1
        elif card != "HUNTER":
            points += _points(pose, card)
    return points * factor


def _points(pose: str, card: str) -> int:
    left, right, *tongue = pose.split()
    if card.startswith(("TONGUE", "MOOSE", "RABBIT")):
        name, value = card[:-2], int(card[-2:])
        return value if (tongue if name == "TONGUE" else name.lower() == species(pose)) else 0
    side, shown = card.split(".")
    if side == "B":
        halves = shown.split("/")
        first, last = halves[0], halves[-1]
        pattern = last[:-2] or first[:-2]  # one pattern for both sides, or one value for both
        return _matched(left, first[:-2], int(first[-2:])) + _matched(right, pattern, int(last[-2:]))
    return _matched(left if side == "L" else right, shown[:-2], int(shown[-2:]))


def _matched(headgear: str, pattern: str, value: int) -> int:
    fits = headgear != "--" and all(wanted in ("?", has) for wanted, has in zip(pattern, headgear, strict=True))
    return value if fits else 0


@dataclass
class Calculator:
    """All figures on the trail, and the announcements of their last moves.

    Attributes:
        places: space of each player's moose and rabbit.
    """

    players: Sequence[str]
    places: dict[tuple[str, str], int] = field(init=False)

    def __post_init__(self) -> None:
        self.places = {(player, animal): FIFTH_SPACE for player in self.players for animal in ANIMALS}

    def score_round(self, narrator: str, bet: str, poses: Mapping[str, str], cards: str) -> None:
        """Move all figures of one round, catch-up included.

        Args:
            poses: pose of each player except the narrator.
        """
        first = self.players.index(narrator) + 1
        for player in [*self.players[first:], *self.players[: first - 1]]:
            animal = species(poses[player])
            moves = [(kind, -1) for kind in ANIMALS] if animal == "bush" else [(animal, score(poses[player], cards))]
            for who in (player, narrator) if player == bet else (player,):
                for moved, spaces in moves:
                    self._move((who, moved), spaces)
        for animal in ("rabbit", "moose"):
            last = min(self.places[player, animal] for player in self.players)
            for player in self.players:
                if self.places[player, animal] == last:
                    self._move((player, animal), 1)

    def _move(self, figure: tuple[str, str], spaces: int) -> None:
        target = self.places[figure] + spaces
        leader = max(target, *(place for other, place in self.places.items() if other != figure))
        rearmost = leader - (TRAIL_SPACES - 1)
        self.places = {other: max(place, rearmost) for other, place in {**self.places, figure: target}.items()}

    def ranking(self) -> list[tuple[int, str, int, int]]:
        """Return place, player, rear and front figure of each player, best first; equal players share a place."""
        spaces = {player: (self.places[player, "moose"], self.places[player, "rabbit"]) for player in self.players}
        ends = {player: (min(both), max(both)) for player, both in spaces.items()}
        better = {player: sum(other > ends[player] for other in ends.values()) for player in self.players}
        return [
            (better[player] + 1, player, *ends[player])
            for player in sorted(self.players, key=lambda candidate: better[candidate])
        ]
