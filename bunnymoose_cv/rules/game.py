"""State of a game: players, rounds that are over, and the open round."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.ranking import ranking
from bunnymoose_cv.rules.trail import Trail

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.events import CardLaid
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.ranking import Standing
    from bunnymoose_cv.rules.round import Round


class Phase(Enum):
    """Next event that the table waits for."""

    BETTING = "the bet and the first card"
    DEALING = "further cards, until Bam"
    FROZEN = "what the players show"
    OVER = "nothing"


@dataclass(frozen=True, slots=True)
class Game:
    """State of the evening.

    Attributes:
        players: round the table, from the first narrator to the narrator's left.
        colours: of everybody's figures, by number; none where nobody told.
        rounds: those that are over, with everything that followed from them.
        phase: what the table waits for.
        piles: the top card of each pile, as it was laid.
        laid: how many cards the open round has laid on piles.
        poses: what was judged so far in the open round.
        draw: what is left of the shuffled deck, the next card first.
        used: the drawn cards that were covered or put aside.
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

    @property
    def round_number(self) -> int:
        """The open round, counted from 1; when the game is over, the last one."""
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
        """The players from the narrator to the left; after each round everybody moves one seat to the left."""
        turned = (self.round_number - 1) % len(self.players)
        return self.players[-turned:] + self.players[:-turned]

    @property
    def round_rules(self) -> Rules:
        """The rules of the open round."""
        return self.rules.in_round(self.round_number, len(self.players))

    @property
    def table(self) -> Table:
        """The cards that show on the piles."""
        return tuple(pile.card for pile in self.piles)

    @property
    def has_no_deck(self) -> bool:
        """Tell if no deck was shuffled for these rules yet: people have laid all cards so far."""
        return not self.draw and not self.used and not any(pile.from_deck for pile in self.piles)

    @property
    def first_pass(self) -> bool:
        """Tell if a pile is still without a card, so that a hunter is laid down like any card."""
        return len(self.piles) < self.rules.piles

    @property
    def trail(self) -> Trail:
        """Positions of the figures."""
        return self.rounds[-1].trail if self.rounds else Trail.start(self.rules.spaces, self.players)

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """The players, best first."""
        return ranking(self.trail)
