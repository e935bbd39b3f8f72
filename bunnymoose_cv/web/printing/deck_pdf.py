"""The printed deck: our faces with one marker each, backs, crop marks, as a vector PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.faces import face_numbers
from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, PRINTED_CARD, card_marker
from bunnymoose_cv.web.art.card_art import card_back, card_face
from bunnymoose_cv.web.printing.canvas import Canvas
from bunnymoose_cv.web.printing.deck_layout import deck_sheets
from bunnymoose_cv.web.printing.paper import PaperPoint

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.web.printing.paper import Paper

_LABEL_PT: Final = 13.0
_LETTER_MM: Final = 2.75
"""Width of a bold letter of that size."""


def deck_pdf(deck: Deck, paper: Paper, texts: Texts, *, backs: bool = True) -> bytes:
    """Print every card of a deck.

    Args:
        deck: whose cards, advanced ones last.
        backs: whether a page of backs follows each page of fronts, for printing on both sides.

    Raises:
        InputError: the deck has more faces than there are markers.
    """
    numbers = face_numbers(deck)
    canvas = Canvas(paper, deck.title)
    for sheet in deck_sheets((*deck.cards, *deck.advanced), paper):
        canvas.page()
        canvas.lines(sheet.marks)
        for card, spot in sheet.fronts:
            _front(canvas, card, numbers[card], spot, texts)
        if backs:
            canvas.page()
            canvas.lines(sheet.marks)
            for spot in sheet.backs:
                canvas.svg(card_back(), spot, CARD_SIZE_MM)
    return canvas.content()


def _front(canvas: Canvas, card: Card, number: int, spot: PaperPoint, texts: Texts) -> None:
    """Draw a face, and below it its marker and its notation."""
    face, label = PRINTED_CARD.face, PRINTED_CARD.label
    try:
        marker = card_marker(number)
    except ValueError:
        raise InputError("The deck has more different faces than there are markers: leave some out.") from None
    canvas.svg(card_face(card, texts), spot.at(face), (face.width, face.height))
    canvas.marker(marker, spot.at(marker.square))
    size_pt = min(_LABEL_PT, _LABEL_PT * label.width / (_LETTER_MM * len(str(card))))
    corner = spot.at(label)
    canvas.text(str(card), PaperPoint(corner.x, corner.y + label.height / 2 + size_pt / 8), size_pt, grey=60)
