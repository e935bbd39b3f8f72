"""Bet and cards of the table, as entered by players and by photographs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.game import BEFORE_BAM, Phase

if TYPE_CHECKING:
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.session.cards.card_photo import CardPhoto
    from bunnymoose_cv.session.play.freeze_control import FreezeControl
    from bunnymoose_cv.session.play.table_output import RoundDisplay


class LaidMeanwhileError(InputError):
    """Refusal of cards that were seen before another card was laid, which may be the same one."""


class TableCards:
    """Entry of the bet and of the cards on the piles. Belongs to the session's thread."""

    def __init__(self, referee: Referee, display: RoundDisplay, freeze: FreezeControl) -> None:
        self._referee, self._display, self._freeze = referee, display, freeze

    def bet(self, player: str, author: str) -> None:
        """Place a bet; the current bet is not recorded again, so that one undo removes it."""
        game = self._referee.game
        if (game.phase, game.bet) == (Phase.BETTING, player):
            return
        with self._display.clear_if_round_begins(game):
            self._referee.bet(player, author)

    def lay(self, cards: Table, author: str, submitted_s: float, after: int | None) -> None:
        """Lay cards; see `Session.submit_cards`. The command was submitted at a time of `time.monotonic()`, seconds."""
        before = self._referee.game
        if after not in {None, before.laid}:
            raise LaidMeanwhileError(Phrase("Somebody has just laid a card: please check again."))
        self._freeze.hunter_seen = False
        with self._display.clear_if_round_begins(before):
            self._referee.record_cards(cards, author)
        if before.phase in BEFORE_BAM and self._referee.game.phase is Phase.FROZEN:
            self._freeze.judge_hunter(submitted_s)

    def see(self, photo: CardPhoto, author: str) -> None:
        """Take a photograph of the frozen round's cards, or raise an `InputError`; see `Session.see_cards`."""
        if self._referee.game.phase is not Phase.FROZEN:
            raise InputError(Phrase("Photograph the cards once Bam has been said."))
        self._display.photo = photo.beside(self._referee.game.table)
        self._lay_seen(author)

    def settle(self, pile: int, card: Card, author: str) -> None:
        """Set the card of a pile in the photograph; raise an `InputError` if its round is over."""
        photo, game = self._display.photo, self._referee.game
        if photo is None or photo.round_number != game.round_number or game.phase is not Phase.FROZEN:
            raise InputError(Phrase("The round is over: correct its cards on the page of its verdicts."))
        self._display.photo = photo.settled(pile, card)
        self._lay_seen(author)

    def _lay_seen(self, author: str) -> None:
        cards = None if self._display.photo is None else self._display.photo.cards
        if cards is not None and cards != self._referee.game.table:
            self._referee.record_seen_cards(cards, author)
