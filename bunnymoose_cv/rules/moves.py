"""Probabilities of the moves that a reading leaves open, given the cards on the table; standard library only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.rules.scoring import Move, Score, score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities

Moves: TypeAlias = tuple[Move, ...]
"""Moves of one verdict; a bet copies them, so equal moves have equal effects."""


@dataclass(frozen=True, slots=True)
class LikelyMove:
    """One of the moves that a reading leaves open.

    Attributes:
        score: the score of the likeliest pose that makes this move.
        probability: the sum of the probabilities of all poses that make this move, 0 to 1.
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


class _TableScores(dict["Pose", Score]):
    """Cache of the scores at one table, each computed on the first access to its pose."""

    def __init__(self, cards: Table, rules: Rules) -> None:
        super().__init__()
        self._cards, self._rules = cards, rules

    def __missing__(self, pose: Pose) -> Score:
        self[pose] = scored = score(pose, self._cards, self._rules)
        return scored


@lru_cache(maxsize=16)
def table_scores(cards: Table, rules: Rules) -> Mapping[Pose, Score]:
    """Return the scores of all poses at a table, computed on access and cached, as each player needs them."""
    return _TableScores(cards, rules)


def move_distribution(probabilities: PoseProbabilities, cards: Table, rules: Rules) -> tuple[LikelyMove, ...]:
    """Return the moves, likeliest first, each with the summed probability of its poses; the sums add up to 1."""
    shares: dict[Moves, list[float]] = {}
    likeliest: dict[Moves, Score] = {}
    scores = table_scores(cards, rules)
    for pose, probability in sorted(probabilities.poses(), key=lambda each: -each[1]):
        scored = scores[pose]
        shares.setdefault(scored.moves, []).append(probability)
        likeliest.setdefault(scored.moves, scored)
    moves = (LikelyMove(likeliest[each], fsum(found)) for each, found in shares.items())
    return tuple(sorted(moves, key=lambda each: -each.probability))


def move_probability(pose: Pose, distribution: Iterable[LikelyMove], cards: Table, rules: Rules) -> float:
    """Return the probability that a pose's move is right, 0 to 1."""
    moves = table_scores(cards, rules)[pose].moves
    return sum(each.probability for each in distribution if each.moves == moves)
