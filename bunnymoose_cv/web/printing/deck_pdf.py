"""The printed deck: our faces with one marker each, backs, crop marks, as a vector PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.faces import face_numbers
from bunnymoose_cv.web.art.card_art import card_back, card_face
from bunnymoose_cv.web.printing.canvas import Canvas
from bunnymoose_cv.web.printing.deck_layout import CARD_MM, deck_sheets
from bunnymoose_cv.web.printing.paper import Spot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.web.printing.paper import Paper

MARKERS: Final = cv2.aruco.DICT_4X4_100
"""Dictionary of the markers on cards; the mat's is another one."""

MOST_FACES: Final = 100
"""So many markers the dictionary holds."""

MARKER_MM: Final = 18.0
"""Side of a card's marker: six cells of three millimetres."""

_WHITE_MM: Final = MARKER_MM / 6
"""White around a marker: one cell, without which detectors miss it."""

_FACE_MM: Final = (CARD_MM[0] * (1 - (MARKER_MM + 2 * _WHITE_MM) / CARD_MM[1]), CARD_MM[1] - MARKER_MM - 2 * _WHITE_MM)
_EDGE_MM: Final = 1.5
_NOTATION_PT: Final = 13.0
_NOTATION_LONG: Final = 10


def deck_pdf(deck: Deck, paper: Paper, texts: Texts, *, backs: bool = True) -> bytes:
    """Print every card of a deck.

    Args:
        deck: whose cards, advanced ones last.
        paper: of the sheets.
        texts: of the language of the title.
        backs: whether a page of backs follows each page of fronts, for printing on both sides.

    Raises:
        InputError: the deck has more faces than there are markers.
    """
    numbers = face_numbers(deck)
    if len(numbers) > MOST_FACES:
        raise InputError(f"The deck has {len(numbers)} different faces, and there are {MOST_FACES} markers: leave some out.")
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
                canvas.svg(card_back(), spot, CARD_MM)
    return canvas.content()


def marker_spot(card: Spot) -> Spot:
    """Place the marker on a card, whose top left corner is given."""
    return Spot(card.x + _WHITE_MM, card.y + CARD_MM[1] - MARKER_MM - _WHITE_MM)


def marker_cells(dictionary: int, number: int) -> NDArray[np.bool_]:
    """Draw a marker, one element a cell, True where dark, its black border included.

    Args:
        dictionary: one of OpenCV's, by its number.
        number: of the marker in it.
    """
    markers = cv2.aruco.getPredefinedDictionary(dictionary)
    cells: NDArray[np.bool_] = cv2.aruco.generateImageMarker(markers, number, markers.markerSize + 2) == 0
    return cells


def _front(canvas: Canvas, card: Card, number: int, spot: Spot, texts: Texts) -> None:
    """Draw a face, and below it its marker and its notation."""
    across = (CARD_MM[0] - _FACE_MM[0]) / 2
    canvas.svg(card_face(card, texts), Spot(spot.x + across, spot.y + _EDGE_MM), _FACE_MM)
    corner = marker_spot(spot)
    canvas.marker(marker_cells(MARKERS, number), corner, MARKER_MM)
    notation = str(card)
    size_pt = _NOTATION_PT if len(notation) <= _NOTATION_LONG else _NOTATION_PT * _NOTATION_LONG / len(notation)
    canvas.text(notation, Spot(corner.x + MARKER_MM + 2 * _WHITE_MM, corner.y + MARKER_MM / 2 + 1), size_pt, grey=60)
