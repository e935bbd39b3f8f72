"""Round: verdicts, the moves in their order, the narrator's copies, catching up."""

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
    """All that people did in a round, from which everything else follows.

    Attributes:
        number: counted from 1.
        seats: the other players in scoring order, from the narrator's left to the right; the first has seat 1.
        bet: whom the narrator bet on, if on anybody.
        cards: what lay on the piles at Bam.
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
        spaces: how far it should go; negative is back.
        place: where it came to stand, which may be short of that at the rear end of the trail.
    """

    figure: Figure
    cause: Cause
    spaces: int
    place: int


@dataclass(frozen=True, slots=True)
class Announcement:
    """Announcement about look-alikes: one verdict or more, in seat order."""

    verdicts: tuple[Verdict, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the look-alikes."""
        return tuple(verdict.player for verdict in self.verdicts)

    @property
    def score(self) -> Score:
        """Score that they share."""
        return self.verdicts[0].score


@dataclass(frozen=True, slots=True)
class Round:
    """A round that is over.

    Attributes:
        verdicts: one per seat, in order.
        moves: all moves, in the order in which they were made.
        trail: where the figures stand afterwards.
    """

    facts: RoundFacts
    verdicts: tuple[Verdict, ...]
    moves: tuple[FigureMove, ...]
    trail: Trail

    @property
    def announcements(self) -> tuple[Announcement, ...]:
        """Announcements about the verdicts."""
        return announcements(self.verdicts)


def announcements(verdicts: Sequence[Verdict]) -> tuple[Announcement, ...]:
    """Announce verdicts in seat order; players who show the same are named together with the first of them."""
    alike: dict[Pose, list[Verdict]] = {}
    for verdict in verdicts:
        alike.setdefault(verdict.score.pose, []).append(verdict)
    return tuple(Announcement(tuple(group)) for group in alike.values())


def play_round(trail: Trail, facts: RoundFacts) -> Round:
    """Score all seats and move the figures, one move after the other, in the rulebook's order."""
    verdicts = tuple(
        Verdict(player, seat, score(facts.poses[player], facts.cards, facts.rules))
        for seat, player in enumerate(facts.seats, start=1)
    )
    moves = []
    for figure, cause, spaces in _scoring_moves(verdicts, facts):
        trail = trail.moved(figure, spaces)
        moves.append(FigureMove(figure, cause, spaces, trail.places[figure]))
    # The rulebook speaks of the rabbits first; the last moose are those that are last when the rabbits have moved.
    for animal in (Animal.RABBIT, Animal.MOOSE):
        for figure in trail.last(animal):
            trail = trail.moved(figure, 1)
            moves.append(FigureMove(figure, Cause.CATCH_UP, 1, trail.places[figure]))
    return Round(facts, verdicts, tuple(moves), trail)


def _scoring_moves(verdicts: tuple[Verdict, ...], facts: RoundFacts) -> Iterator[tuple[Figure, Cause, int]]:
    """Each player's moves, followed at once by the narrator's copies where the bet lies."""
    for verdict in verdicts:
        for move in verdict.score.moves:
            yield Figure(verdict.player, move.animal), Cause.SCORE, move.spaces
        if verdict.player == facts.bet:
            for move in verdict.score.moves:
                yield Figure(facts.narrator, move.animal), Cause.BET, move.spaces
