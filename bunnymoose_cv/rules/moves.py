"""Probabilities of the moves that a reading leaves open, given the cards that lie; standard library alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import fsum
from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.rules.pose import ALL_POSES, Pose
from bunnymoose_cv.rules.scoring import Move, Score, score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.pose import Headgear, Tongue

Moves: TypeAlias = tuple[Move, ...]
"""Moves of one verdict; a bet copies them, so that equal moves have equal effects."""


@dataclass(frozen=True, slots=True)
class PoseProbabilities:
    """Distribution over poses: both sides and the tongue are independent, and each adds up to 1."""

    left: Mapping[Headgear, float]
    right: Mapping[Headgear, float]
    tongue: Mapping[Tongue, float]

    def of(self, pose: Pose) -> float:
        """Probability of one pose; 0 for a value that is not named."""
        return self.left.get(pose.left, 0.0) * self.right.get(pose.right, 0.0) * self.tongue.get(pose.tongue, 0.0)

    def poses(self) -> Iterator[tuple[Pose, float]]:
        """Every pose with a probability above 0."""
        for left, right, tongue in product(self.left, self.right, self.tongue):
            pose = Pose(left, right, tongue)
            if (probability := self.of(pose)) > 0:
                yield pose, probability


@dataclass(frozen=True, slots=True)
class LikelyMove:
    """One move among those that a reading leaves open.

    Attributes:
        score: of the likeliest pose that makes this move.
        probability: of all poses that make it, 0 to 1.
    """

    score: Score
    probability: float

    @property
    def moves(self) -> Moves:
        """Moves of the player's figures."""
        return self.score.moves

    @property
    def pose(self) -> Pose:
        """The likeliest pose that makes this move."""
        return self.score.pose


@lru_cache(maxsize=16)
def all_scores(cards: Table, rules: Rules) -> Mapping[Pose, Score]:
    """Scores of all 162 poses; one table is asked about again and again, once a player."""
    return {pose: score(pose, cards, rules) for pose in ALL_POSES}


def move_distribution(probabilities: PoseProbabilities, cards: Table, rules: Rules) -> tuple[LikelyMove, ...]:
    """Sum the probabilities of all poses that make the same move, likeliest move first; the sums add up to 1."""
    shares: dict[Moves, list[float]] = {}
    likeliest: dict[Moves, Score] = {}
    scores = all_scores(cards, rules)
    for pose, probability in sorted(probabilities.poses(), key=lambda each: -each[1]):
        scored = scores[pose]
        shares.setdefault(scored.moves, []).append(probability)
        likeliest.setdefault(scored.moves, scored)
    moves = (LikelyMove(likeliest[each], fsum(found)) for each, found in shares.items())
    return tuple(sorted(moves, key=lambda each: -each.probability))


def move_probability(pose: Pose, probabilities: PoseProbabilities, cards: Table, rules: Rules) -> float:
    """Probability that a pose's move is right, 0 to 1."""
    moves = all_scores(cards, rules)[pose].moves
    return sum(each.probability for each in move_distribution(probabilities, cards, rules) if each.moves == moves)
