"""Picking a card in two taps at most: what it is about, then its side and value.

The second choice opens in a dialog; a card that is the only one about its motif is laid by the first tap.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nicegui import html, ui

from bunnymoose_cv.rules.cards import Card, SingleCard
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.web.art.art_names import kind_name
from bunnymoose_cv.web.art.card_art import card_face, motif_art
from bunnymoose_cv.web.live.card_choices import CardGroup, Motif, motifs
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Awaitable, Callable

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Table

CHOICES = "card-choices"


class Picker:
    """The grid and its dialog; built where it is made.

    Args:
        lay: lays a card on the next pile.
        remaining_cards: tells how many of each card can still come.
        texts: of the language of the table.
    """

    def __init__(
        self, lay: Callable[[Card], Awaitable[object]], remaining_cards: Callable[[], Counter[Card]], texts: Texts
    ) -> None:
        self._lay = lay
        self._remaining_cards = remaining_cards
        self._texts = texts
        self._grid = html.fieldset().classes("picker")
        with self._grid:
            html.legend(texts("Pick a card")).classes("spoken")
        self._motifs: Region[tuple[Motif, ...]] = Region(self._inside(), self._build_grid)
        with html.dialog(id=CHOICES).classes("sheet choices") as self._dialog:
            self._dialog.props["aria-label"] = texts("Which card?")
            self._choices = html.div()
        self._dialog.on("close", self._choices.clear)

    def show(self, deck: Table, *, is_open: bool) -> None:
        """Show what can be picked.

        Args:
            deck: the cards of the open round.
            is_open: whether this visitor may lay a card now.
        """
        self._motifs.show(motifs(deck))
        if is_open:
            self._grid.props(remove="disabled")
        else:
            self._grid.props("disabled")

    def _inside(self) -> html.div:
        with self._grid:
            return html.div().classes("stack")

    def _build_grid(self, shown: tuple[Motif, ...]) -> None:
        names = {
            CardGroup.ANTLERS: self._texts("Antlers"),
            CardGroup.EARS: self._texts("Ears"),
            CardGroup.OTHERS: self._texts("Animals, tongue, reversal, hunter"),
        }
        for group, name in names.items():
            tiles = [motif for motif in shown if motif.group is group]
            if tiles:
                with html.section():
                    html.h2(name)
                    with html.ul().classes(f"tiles-of-kind {group.value}"):
                        for motif in tiles:
                            self._build_tile(motif)

    def _build_tile(self, motif: Motif) -> None:
        name = kind_name(motif.sample, self._texts)
        with html.li(), html.button(type="button").classes("kind") as tile:
            ui.html(motif_art(motif.sample), sanitize=False).classes("motif")
            html.span(name).classes("kind-name")
        tile.props["data-focus"] = f"kind {motif.sample}"
        if len(motif.cards) == 1:
            tile.on("click", partial(self._lay, motif.cards[0]))
        else:
            tile.props["data-opens"] = CHOICES
            tile.props["aria-haspopup"] = "dialog"
            tile.on("click", partial(self._build_choices, motif))

    def _build_choices(self, motif: Motif) -> None:
        """The faces to choose among, each where its side is: the player's left at the left, as in a mirror."""
        left = self._remaining_cards()
        self._choices.clear()
        with self._choices:
            with html.div().classes("row apart"):
                html.h2(kind_name(motif.sample, self._texts))
                html.button(self._texts("Close"), type="button").classes("button").props("data-closes")
            sides = {Side.LEFT: "at-left", Side.RIGHT: "at-right"}
            with html.ul().classes("faces"):
                for card in motif.cards:
                    place = sides[card.side] if isinstance(card, SingleCard) else "at-both"
                    with html.li().classes(place if isinstance(motif.sample, SingleCard) else ""):
                        self._build_face(card, left[card])

    def _build_face(self, card: Card, copies: int) -> None:
        face = html.button(type="button").classes("face-button").props("data-closes")
        with face:
            ui.html(card_face(card, self._texts), sanitize=False).classes("face")
            if copies < 1:
                html.span(self._texts("laid already")).classes("badge")
        if copies < 1:
            face.props("disabled")
        face.on("click", partial(self._lay, card))
