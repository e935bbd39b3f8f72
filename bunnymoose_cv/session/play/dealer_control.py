"""Built-in dealer: recites the poem line by line, deals the cards, and says Bam with the hunter."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import HunterCard
from bunnymoose_cv.rules.game import BEFORE_BAM, Phase
from bunnymoose_cv.session.table_state import DealState

if TYPE_CHECKING:
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.session.game_setup import DealerSetup
    from bunnymoose_cv.session.play.table_output import RoundDisplay

BAM: Final = "Bam!"


class DealerControl:
    """Dealer of the open round, from `deal` until it rests; players may deal cards in between.

    Belongs to the session's thread. Without a set-up (`dealing`), the players deal.
    """

    def __init__(self, dealing: DealerSetup | None, referee: Referee, display: RoundDisplay) -> None:
        self._dealing, self._referee, self._display = dealing, referee, display
        self._tempo_s = 0.0 if dealing is None else dealing.tempo_s
        self.rest()

    @property
    def state(self) -> DealState | None:
        """Progress of the dealer; None if the players deal."""
        return None if self._dealing is None else DealState(self._dealing.poem, self._line, self._tempo_s)

    def deal(self, tempo_s: float | None) -> None:
        """Start or resume the deal; during a deal, change only the tempo (seconds from line to line; None keeps it).

        Raise an `InputError` if the players deal in this game, or Bam has been said.
        """
        if self._dealing is None:
            raise InputError(Phrase("The cards are dealt by hand in this game: enter the cards on the table."))
        if self._referee.game.phase not in BEFORE_BAM:
            raise InputError(Phrase("Nothing can be dealt now: the next round has to begin first."))
        self._tempo_s = tempo_s or self._tempo_s
        self._is_dealing = True

    def rest(self) -> None:
        """Deal no further card until `deal`."""
        self._is_dealing, self._recited_s = False, -math.inf
        self._line: int | None = None

    def deal_on(self) -> str | None:
        """Lay the next card and return its line, or `BAM` if a hunter ended the deal; None if no card was due."""
        dealing, now_s = self._dealing, time.monotonic()
        if dealing is None or not self._is_dealing or now_s < self._recited_s + self._tempo_s:
            return None
        self._recited_s, self._line = now_s, self._referee.game.laid % len(dealing.poem)
        with self._display.clear_if_round_begins(self._referee.game):
            card = self._referee.deal_card(dealing.deck, dealing.random)
        if isinstance(card, HunterCard) and self._referee.game.phase is Phase.FROZEN:
            return BAM
        return f"{dealing.poem[self._line].draw} {dealing.poem[self._line].lay}"
