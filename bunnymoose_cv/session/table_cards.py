"""Cards of the table as people and photographs tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.table_cues import BEFORE_BAM

if TYPE_CHECKING:
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.session.card_photo import CardPhoto
    from bunnymoose_cv.session.freeze_control import FreezeControl
    from bunnymoose_cv.session.round_display import RoundDisplay
    from bunnymoose_cv.session.table_cues import TableCues


class LaidMeanwhileError(InputError):
    """Refusal of cards that were seen before another card was laid, which may be one of them."""


class TableCards:
    """Entry of the cards that lie. Belongs to the session's thread."""

    def __init__(self, referee: Referee, display: RoundDisplay, cues: TableCues, freeze: FreezeControl) -> None:
        self._referee, self._display, self._cues, self._freeze = referee, display, cues, freeze

    def lay(self, cards: Table, who: str, told_s: float, after: int | None) -> None:
        """Lay cards; see `Session.lay`.

        Args:
            told_s: when, in seconds of `time.monotonic()`.
            after: number of cards that the round had laid when these were seen; None lays them in any case.

        Raises:
            LaidMeanwhileError: the round has laid another number of cards.
        """
        before = self._referee.game
        if after not in {None, before.laid}:
            raise LaidMeanwhileError(Phrase("Somebody has just laid a card: look once more."))
        self._cues.hunter_seen = False
        with self._display.clear_if_round_begins(before):
            self._referee.lay(cards, who)
        if before.phase in BEFORE_BAM and self._referee.game.phase is Phase.FROZEN:
            self._freeze.judge_hunter(told_s)

    def see(self, photo: CardPhoto, who: str) -> None:
        """Take a photograph of the frozen round's cards, and lay them once nobody needs to be asked.

        Raises:
            InputError: Bam has not been said.
        """
        if self._referee.game.phase is not Phase.FROZEN:
            raise InputError(Phrase("Photograph the cards once Bam has been said."))
        self._display.photo = photo.beside(self._referee.game.table)
        self._lay_seen(who)

    def settle(self, pile: int, card: Card, who: str) -> None:
        """Settle which card lies on a pile of the photograph.

        Raises:
            InputError: its round is over.
        """
        photo, game = self._display.photo, self._referee.game
        if photo is None or photo.round_number != game.round_number or game.phase is not Phase.FROZEN:
            raise InputError(Phrase("The round is over: put its cards right on the page of its verdicts."))
        self._display.photo = photo.settled(pile, card)
        self._lay_seen(who)

    def _lay_seen(self, who: str) -> None:
        """Lay the cards of the photograph, as soon as every pile is known."""
        cards = None if self._display.photo is None else self._display.photo.cards
        if cards is not None and cards != self._referee.game.table:
            self._referee.lay_seen(cards, who)
