"""Photograph the cards at Bam: the buttons, the photograph with what was read, and what only a person can tell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from nicegui import html, ui

from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.vision.cards.card_reading import PlaceState
from bunnymoose_cv.web.art.art_names import card_name
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.card_choices import cards_of
from bunnymoose_cv.web.live.photo_overlay import photo_overlay
from bunnymoose_cv.web.server.card_photos import photo_address
from bunnymoose_cv.web.server.gatekeeper import PHOTO
from bunnymoose_cv.web.widgets.photo_picker import photo_picker
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from nicegui.events import GenericEventArguments

    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.session.card_photo import CardPhoto, SeenPile
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host

SHEET = "photo"
"""Style sheet of pages with this panel."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """Content of the panel; equal to another exactly when it looks the same.

    Attributes:
        number: of the photograph.
        piles: what it shows.
        is_open: whether this visitor may still say which cards lie.
    """

    number: int
    piles: tuple[SeenPile, ...]
    is_open: bool


class CardPhotoPanel:
    """The panel of one visitor; built where it is made."""

    def __init__(self, host: Host, visitor: Visitor, frame: PageFrame) -> None:
        self._host, self._visitor, self._frame, self._texts = host, visitor, frame, host.texts
        self._photo: CardPhoto | None = None
        ui.add_head_html('<script src="/style/photo.js"></script>')
        with html.section().classes("panel card-photo") as self._panel:
            self._picker = photo_picker(PHOTO, self._texts("Photograph the cards"), self._texts)
            self._result: Region[_Seen | None] = Region(html.div().classes("seen"), self._build_result)
        self._panel.set_visibility(False)

    def show(self, state: TableState) -> None:
        """Show what stands: the buttons from Bam until the round is over, the photograph until the next one begins."""
        may = self._visitor.may(Action.LAY) and self._host.card_reader is not None
        frozen = state.game.phase is Phase.FROZEN or state.judging
        self._photo = photo = state.photo
        self._picker.set_visibility(may and frozen)
        self._panel.set_visibility(may and (frozen or photo is not None))
        is_open = state.game.phase is Phase.FROZEN and photo is not None
        self._result.show(None if photo is None or not may else _Seen(photo.number, photo.piles, is_open))

    def _build_result(self, seen: _Seen | None) -> None:
        photo, texts = self._photo, self._texts
        if seen is None or photo is None:
            return
        with html.figure().classes("seen-cards"):
            image = html.img().props(f"src={photo_address(photo.number)}")
            image.props["alt"] = texts("The photograph of the cards")
            ui.html(photo_overlay(photo, texts), sanitize=False).classes("over")
        for sentence in photo.advice if photo.cards is None else ():
            html.p(texts(sentence)).classes("quiet small")
        if not photo.complete:
            html.p(self._miscounted(photo)).classes("notice")
            return
        if photo.cards is not None:
            html.p(texts("All cards are known.")).classes("quiet")
        if seen.is_open:
            for pile in seen.piles:
                if pile.asked:
                    self._build_question(pile)
            self._build_corrections(seen.piles)

    def _miscounted(self, photo: CardPhoto) -> str:
        return self._texts(
            "{found} of {piles} cards were found: photograph all of them once more, or lay them by hand.",
            found=photo.found,
            piles=len(photo.piles),
        )

    def _build_question(self, pile: SeenPile) -> None:
        """Offer the likeliest cards for a tap, and all others in a list."""
        texts = self._texts
        with html.section().classes("seen-question"):
            html.h3(_question(pile, self._host))
            with html.div().classes("row tight"):
                for card in pile.answers:
                    answer = html.button(type="button").classes("face-button").props(f"data-focus=seen-{pile.number}")
                    answer.on("click", partial(self._settle, pile.number, card))
                    with answer:
                        ui.html(card_face(card, texts), sanitize=False).classes("face")
            self._build_list(pile, texts("Another card on pile {number}", number=pile.number))

    def _build_corrections(self, piles: tuple[SeenPile, ...]) -> None:
        with html.details():
            html.summary(self._texts("Put a card right"))
            with html.div().classes("stack tight"):
                for pile in piles:
                    if not pile.asked and pile.card is not None:
                        self._build_list(pile, self._texts("Pile {number}", number=pile.number))

    def _build_list(self, pile: SeenPile, label: str) -> None:
        texts = self._texts
        faces = dict.fromkeys(cards_of(self._host.at_table().state.game, self._host.deck))
        with html.label().classes("field"):
            html.span(label)
            with html.select() as every:
                html.option(texts("Choose a card"), value="")
                for card in sorted(faces, key=lambda each: card_name(each, texts)):
                    option = html.option(card_name(card, texts), value=str(card))
                    if card == pile.card:
                        option.props("selected")
        every.on("change", partial(self._choose, pile.number), args=["target.value"], js_handler=_SENDS)

    async def _choose(self, pile: int, event: GenericEventArguments) -> None:
        if event.args:
            await self._settle(pile, parse_card(event.args))

    async def _settle(self, pile: int, card: Card) -> None:
        await self._frame.attempt(lambda: self._host.at_table().settle_card(pile, card, self._visitor.name))


_SENDS = "(event) => emit(event.target.value)"


def _question(pile: SeenPile, host: Host) -> str:
    texts = host.texts
    if pile.state is PlaceState.EMPTY:
        return texts("Pile {number} looks empty: which card lies there?", number=pile.number)
    if pile.state is PlaceState.COVERED:
        return texts("Something covers pile {number}: which card lies there?", number=pile.number)
    return texts("Which card lies on pile {number}?", number=pile.number)
