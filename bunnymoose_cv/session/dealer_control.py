"""Control of the built-in dealer: deal, rest, deal on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.referee.dealer import Dealer
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.table_cues import BEFORE_BAM
from bunnymoose_cv.session.table_state import DealState

if TYPE_CHECKING:
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.session.dealer_setup import DealerSetup
    from bunnymoose_cv.session.round_display import RoundDisplay


class DealerControl:
    """Dealer of the open round, from `deal` until it rests. Belongs to the session's thread.

    Args:
        dealing: set-up of the dealer; None leaves dealing to people.
    """

    def __init__(self, dealing: DealerSetup | None, referee: Referee, display: RoundDisplay) -> None:
        self._dealing, self._referee, self._display = dealing, referee, display
        self._tempo_s = 0.0 if dealing is None else dealing.tempo_s
        self._dealer: Dealer | None = None
        self._recited: list[str] = []

    @property
    def state(self) -> DealState | None:
        """Progress of the dealer; None where people deal."""
        if self._dealing is None:
            return None
        return DealState(self._dealing.poem, None if self._dealer is None else self._dealer.line, self._tempo_s)

    def deal(self, tempo_s: float | None) -> None:
        """Begin to deal, or go on; a dealer that deals already changes its tempo alone.

        Args:
            tempo_s: seconds from line to line from now on; None keeps the tempo.

        Raises:
            InputError: people deal in this game, or Bam has been said.
        """
        dealing, referee = self._dealing, self._referee
        if dealing is None:
            raise InputError(Phrase("The cards are dealt by hand in this game: tell the referee which ones lie."))
        if referee.game.phase not in BEFORE_BAM:
            raise InputError(Phrase("Nothing can be dealt now: the next round has to begin first."))
        self._tempo_s = tempo_s or self._tempo_s
        if self._dealer is not None:
            self._dealer.tempo_s = self._tempo_s
            return
        self._dealer = Dealer(
            dealing.poem,
            pile=lambda: referee.game.laid,
            lay=lambda: referee.deal_card(dealing.deck, dealing.random),
            over=lambda: referee.game.phase is Phase.FROZEN,
            say=self._recited.append,
            tempo_s=self._tempo_s,
        )

    def rest(self) -> None:
        """Deal no further card until `deal`."""
        self._dealer = None

    def deal_on(self) -> str | None:
        """Lay the next card, if it is due.

        Returns:
            The line to recite, which is `BAM` where a hunter ended the deal; None where no card was due.
        """
        dealer, now_s = self._dealer, time.monotonic()
        if dealer is None or not dealer.is_due(now_s):
            return None
        with self._display.clear_if_round_begins(self._referee.game):
            dealer.turn(now_s)
        return self._recited.pop()
