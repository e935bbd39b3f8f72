"""The piles with their top cards, the next pile marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nicegui import html, ui

from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.rules.game import Game


@dataclass(frozen=True, slots=True)
class Pile:
    """Content of one pile.

    Attributes:
        number: counted from 1.
        card: on top; None while nothing lies there.
        is_next: whether the next card goes there.
        laid: rises with every card that is laid there, so that the same card on itself is seen to be laid.
    """

    number: int
    card: Card | None
    is_next: bool
    laid: int


def piles_of(game: Game) -> tuple[Pile, ...]:
    """List the content of every pile."""
    count, cards = game.rules.piles, game.table
    waits = game.phase in {Phase.BETTING, Phase.DEALING} or (game.phase is Phase.FROZEN and game.first_pass)
    return tuple(
        Pile(
            number=number + 1,
            card=cards[number] if number < len(cards) else None,
            is_next=waits and number == game.laid % count,
            laid=(game.laid + count - 1 - number) // count,
        )
        for number in range(count)
    )


class PilesWidget:
    """The piles on a page; built where it is made."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._list = html.ol().classes("piles")
        self._list.props["aria-label"] = texts("Piles")
        self._piles: list[Region[Pile]] = []

    def show(self, game: Game) -> None:
        """Show what lies there."""
        piles = piles_of(game)
        if len(piles) != len(self._piles):
            self._list.clear()
            self._list.style(replace=f"--piles:{len(piles)}")
            with self._list:
                self._piles = [Region(html.li().classes("pile"), self._build) for _ in piles]
        for region, pile in zip(self._piles, piles, strict=True):
            region.show(pile)

    def _build(self, pile: Pile) -> None:
        with html.div().classes("slot" + (" next" if pile.is_next else "") + ("" if pile.card else " empty")):
            if pile.card is None:
                html.span(str(pile.number)).classes("number")
                html.span(self._texts("Pile {number} is empty", number=pile.number)).classes("spoken")
            else:
                ui.html(card_face(pile.card, self._texts), sanitize=False).classes("face")
            if pile.is_next:
                html.span(self._texts("next")).classes("mark")
