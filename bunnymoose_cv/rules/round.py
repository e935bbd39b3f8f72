"""Round of the game: verdicts, moves in order, the narrator's copies, the catch-up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.scoring import Score, score
from bunnymoose_cv.rules.trail import Figure, Trail

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """Facts of a round: the players' actions, from which scores and moves are computed.

    Attributes:
        number: the round number, counted from 1.
        seats: the other players in scoring order, from the narrator's left to the right; the first has seat 1.
        bet: the player whom the narrator bet on; None without a bet.
        cards: the top cards of the piles at Bam.
    """

    number: int
    narrator: str
    seats: tuple[str, ...]
    bet: str | None
    cards: Table
    poses: Mapping[str, Pose]
    rules: Rules


@dataclass(frozen=True, slots=True)
class Verdict:
    """Pose and score of one player; seats count from 1."""

    player: str
    seat: int
    score: Score


class Cause(Enum):
    """Cause of a figure's move."""

    SCORE = "the player's score"
    BET = "the narrator's bet"
    CATCH_UP = "the last catch up"


@dataclass(frozen=True, slots=True)
class FigureMove:
    """One move of one figure.

    Attributes:
        spaces: the spaces that it should go; negative is back.
        place: the space on which it arrived, which may be short of that at the rear end of the trail.
    """

    figure: Figure
    cause: Cause
    spaces: int
    place: int


@dataclass(frozen=True, slots=True)
class Announcement:
    """Announcement about players with the same pose: one or more verdicts, in seat order."""

    verdicts: tuple[Verdict, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players with this pose."""
        return tuple(verdict.player for verdict in self.verdicts)

    @property
    def score(self) -> Score:
        """Common score of the players."""
        return self.verdicts[0].score


@dataclass(frozen=True, slots=True)
class Round:
    """Finished round: its verdicts in seat order, its moves in the order of playing, and the trail after it."""

    facts: RoundFacts
    verdicts: tuple[Verdict, ...]
    moves: tuple[FigureMove, ...]
    trail: Trail


def announcements(verdicts: Sequence[Verdict]) -> tuple[Announcement, ...]:
    """Group verdicts into announcements in seat order; players with the same pose join the first of them."""
    alike: dict[Pose, list[Verdict]] = {}
    for verdict in verdicts:
        alike.setdefault(verdict.score.pose, []).append(verdict)
    return tuple(Announcement(tuple(group)) for group in alike.values())


def play_round(trail: Trail, facts: RoundFacts) -> Round:
    """Score all seats and move the figures, one after the other, in the rulebook's order."""
    verdicts = tuple(
        Verdict(player, seat, score(facts.poses[player], facts.cards, facts.rules))
        for seat, player in enumerate(facts.seats, start=1)
    )
    moves = []
    for figure, cause, spaces in _scoring_moves(verdicts, facts):
        trail = trail.moved(figure, spaces)
        moves.append(FigureMove(figure, cause, spaces, trail.places[figure]))
    # The rulebook names the rabbits first, so the last moose are determined after the rabbits have moved.
    for animal in (Animal.RABBIT, Animal.MOOSE):
        for figure in trail.last(animal):
            trail = trail.moved(figure, 1)
            moves.append(FigureMove(figure, Cause.CATCH_UP, 1, trail.places[figure]))
    return Round(facts, verdicts, tuple(moves), trail)


def _scoring_moves(verdicts: tuple[Verdict, ...], facts: RoundFacts) -> Iterator[tuple[Figure, Cause, int]]:
    """Yield each player's moves, followed directly by the narrator's copies if the bet is on that player."""
    for verdict in verdicts:
        for move in verdict.score.moves:
            yield Figure(verdict.player, move.animal), Cause.SCORE, move.spaces
        if verdict.player == facts.bet:
            for move in verdict.score.moves:
                yield Figure(facts.narrator, move.animal), Cause.BET, move.spaces
