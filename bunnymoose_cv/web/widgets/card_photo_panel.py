"""Photograph the cards at Bam: the buttons, the photograph with what was read, and what only a person can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.vision.cards.card_reading import PlaceState
from bunnymoose_cv.web.art.art_names import card_name
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.card_choices import cards_of
from bunnymoose_cv.web.live.photo_overlay import photo_overlay
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import PHOTO, photo_address
from bunnymoose_cv.web.widgets.photo_picker import picker_html

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.card_photo import CardPhoto, SeenPile
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host

SHEET: Final = "photo"
"""Style sheet, and script, of pages with this panel."""

PICKER, RESULT = "picker", "photo"
"""Parts of the panel."""


def photo_parts(host: Host, visitor: Visitor, state: TableState) -> Mapping[str, Markup]:
    """The buttons from Bam until the round is over, and the photograph until the next one begins; else both empty."""
    may = visitor.may(Action.LAY) and host.card_reader is not None
    frozen = state.game.phase is Phase.FROZEN or state.judging
    texts, nothing = host.texts, drawing("")
    picker = picker_html(PHOTO, texts("Photograph the cards"), texts) if may and frozen else nothing
    result = nothing if state.photo is None or not may else _result(host, state, state.photo)
    return {PICKER: picker, RESULT: result}


def _result(host: Host, state: TableState, photo: CardPhoto) -> Markup:
    """Photograph, with the likeliest cards of an unsure pile as buttons and all others in a list."""
    texts = host.texts
    faces = dict.fromkeys(cards_of(state.game, host.deck))
    named = sorted(((str(card), card_name(card, texts)) for card in faces), key=lambda each: each[1])
    asked = [pile for pile in photo.piles if pile.asked]
    return render(
        "cards/photo_result",
        texts,
        photo=photo,
        address=photo_address(photo.number),
        overlay=drawing(photo_overlay(photo, texts)),
        is_open=state.game.phase is Phase.FROZEN,
        cards=named,
        questions={pile.number: _question(pile, texts) for pile in asked},
        answers={
            pile.number: [(str(card), drawing(card_face(card, texts))) for card in pile.answers] for pile in asked
        },
    )


def _question(pile: SeenPile, texts: Texts) -> str:
    if pile.state is PlaceState.EMPTY:
        return texts("Pile {number} looks empty: which card lies there?", number=pile.number)
    if pile.state is PlaceState.COVERED:
        return texts("Something covers pile {number}: which card lies there?", number=pile.number)
    return texts("Which card lies on pile {number}?", number=pile.number)
