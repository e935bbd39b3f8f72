"""Photographs of the cards at Bam: buttons, the photograph with what was read drawn over it, and open questions."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.vision.cards.card_reading import PlaceState
from bunnymoose_cv.web.art.art_names import card_name
from bunnymoose_cv.web.art.card_art import SIZE, card_face
from bunnymoose_cv.web.art.ink import BAD, GOOD, SUN
from bunnymoose_cv.web.art.numerals import numerals
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.card_choices import cards_of
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import PHOTO, photo_address
from bunnymoose_cv.web.widgets.photo_picker import picker_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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


_COVERS: Final = 0.62
"""Share of the seen card's height that the drawn one takes: the photograph stays visible round it."""

_WIDE: Final = 1000.0
"""Width of the drawing's own coordinates."""


def photo_overlay(photo: CardPhoto, texts: Texts) -> str:
    """Draw every pile: its outline, and the card that counts or a question mark. Decorative: words stand beside it."""
    height = _WIDE * photo.size[1] / photo.size[0]
    drawn = "".join(_pile(pile, height, texts) for pile in photo.piles if pile.corners)
    return f'<svg viewBox="0 0 {_WIDE:g} {height:.0f}" aria-hidden="true">{drawn}</svg>'


def _pile(pile: SeenPile, height: float, texts: Texts) -> str:
    points = [(x * _WIDE, y * height) for x, y in pile.corners]
    middle = sum(x for x, _ in points) / 4, sum(y for _, y in points) / 4
    side = _side(points) * _COVERS
    colour = SUN if pile.asked else GOOD
    outline = f'<polygon points="{_format_points(points)}" fill="none" stroke="{colour}" stroke-width="5"/>'
    if pile.asked or pile.card is None:
        return outline + _pile_question(middle, side / 4)
    width = side * SIZE[0] / SIZE[1]
    place = f'x="{middle[0] - width / 2:.0f}" y="{middle[1] - side / 2:.0f}" width="{width:.0f}" height="{side:.0f}"'
    face = card_face(pile.card, texts).replace('role="img"', "").replace("<svg ", f"<svg {place} ", 1)
    return outline + face


def _pile_question(middle: tuple[float, float], radius: float) -> str:
    disc = f'<circle cx="{middle[0]:.0f}" cy="{middle[1]:.0f}" r="{radius:.0f}" fill="{SUN}" stroke="{BAD}"/>'
    return disc + f'<g fill="none" stroke-linecap="round">{numerals("?", middle, radius, "#35261b")}</g>'


def _side(points: list[tuple[float, float]]) -> float:
    """Measure the longer side of a card: the mean of the edges from the first to the last corner and opposite."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = points
    return (hypot(ax - dx, ay - dy) + hypot(bx - cx, by - cy)) / 2


def _format_points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
