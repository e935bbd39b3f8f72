"""State of a game: players, finished rounds, and the open round."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.provenance import Provenance
from bunnymoose_cv.rules.round import Round, RoundFacts
from bunnymoose_cv.rules.trail import Standing, Trail, ranking

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.events import CardLaid
    from bunnymoose_cv.rules.pose import Pose


class Phase(Enum):
    """Phase of the open round, with a description of the event expected next."""

    BETTING = "the bet and the first card"
    DEALING = "further cards, until Bam"
    FROZEN = "what the players show"
    OVER = "nothing"


BEFORE_BAM: Final = frozenset({Phase.BETTING, Phase.DEALING})
"""Phases that a Bam ends."""


@dataclass(frozen=True, slots=True)
class Game:
    """State of a game.

    Attributes:
        players: the players round the table, from the first narrator to the narrator's left.
        colours: the numbers of the players' figure colours, in player order; empty if none were chosen.
        phase: the phase of the open round, or OVER.
        piles: the top card of each pile, as it was laid.
        laid: the number of cards laid on piles in the open round.
        poses: the poses judged in the open round.
        draw: the remaining cards of the shuffled deck, the next one first.
        used: the drawn cards that were covered or put aside.
        provenance: the authors of the poses, and the possible undos; it does not count in comparisons.
    """

    players: tuple[str, ...]
    rules: Rules
    colours: tuple[int, ...] = ()
    rounds: tuple[Round, ...] = ()
    phase: Phase = Phase.BETTING
    bet: str | None = None
    piles: tuple[CardLaid, ...] = ()
    laid: int = 0
    poses: Mapping[str, Pose] = field(default_factory=dict)
    draw: Table = ()
    used: Table = ()
    provenance: Provenance = field(default_factory=Provenance, compare=False, repr=False)

    @property
    def round_number(self) -> int:
        """Number of the open round, counted from 1; when the game is over, of the last one."""
        return len(self.rounds) + (self.phase is not Phase.OVER)

    @property
    def narrator(self) -> str:
        """Narrator of the open round."""
        return self._circle[0]

    @property
    def seats(self) -> tuple[str, ...]:
        """The other players in scoring order; the first has seat 1."""
        return self._circle[1:]

    @property
    def _circle(self) -> tuple[str, ...]:
        """The players from the narrator to the left; after each round all players move one seat to the left."""
        turned = (self.round_number - 1) % len(self.players)
        return self.players[-turned:] + self.players[:-turned]

    @property
    def round_rules(self) -> Rules:
        """The rules of the open round."""
        return self.rules.in_round(self.round_number, len(self.players))

    @property
    def table(self) -> Table:
        """The visible cards of the piles."""
        return tuple(pile.card for pile in self.piles)

    @property
    def has_no_deck(self) -> bool:
        """Return whether no deck has been shuffled for these rules yet: any cards on the piles were laid by players."""
        return not self.draw and not self.used and not any(pile.from_deck for pile in self.piles)

    @property
    def first_pass(self) -> bool:
        """Return whether a pile still has no card, so a hunter is laid like any other card."""
        return len(self.piles) < self.rules.piles

    @property
    def open_facts(self) -> RoundFacts:
        """Facts of the open round, without cards until Bam has been said and every pile is known."""
        cards = self.table if self.phase is Phase.FROZEN and not self.first_pass else ()
        return RoundFacts(self.round_number, self.narrator, self.seats, self.bet, cards, self.poses, self.round_rules)

    @property
    def trail(self) -> Trail:
        """Positions of the figures."""
        return self.rounds[-1].trail if self.rounds else Trail.start(self.rules.spaces, self.players)

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """The players, best first."""
        return ranking(self.trail)
