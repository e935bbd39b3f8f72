"""Photographs of the printed mat with printed cards on it, made from our own PDFs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from io import BytesIO

import cv2
import numpy as np
import pypdfium2  # type: ignore[import-untyped]
from PIL import Image as PillowImage

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.printing.sheets import Paper, deck_pdf, deck_sheets, mat_parts, mat_pdf
from bunnymoose_cv.rules.cards import Card, Table
from bunnymoose_cv.rules.deck import face_numbers, load_deck
from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, PRINTED_CARD, Rectangle, card_marker, mat_of

PX_PER_MM = 4.0
CLOTH = (70, 96, 60)
MARKER = Rectangle(8, 68, 19, 19)
LEFT_VALUE = Rectangle(10, 46, 19, 20)
"""Parts of a printed card that distinguish it from its twin."""


def photograph(cards: Table, spoilt: Mapping[int, Sequence[Rectangle]] | None = None) -> Image:
    """Return a slightly skewed photograph of the mat on a cloth, with a card on each place.

    Args:
        cards: the cards from place 1 on.
        spoilt: parts of cards that are white from a reflection, by place, in the card's millimetres.
    """
    mat = _mat().copy()
    for number, (card, place) in enumerate(zip(cards, mat_of(6).places, strict=False), 1):
        face = printed_card(card).copy()
        for part in (spoilt or {}).get(number, ()):
            face[_box(part)] = 255
        y, x = (round(place.y * PX_PER_MM), round(place.x * PX_PER_MM))
        mat[y : y + face.shape[0], x : x + face.shape[1]] = face
    return _skewed(mat)


def laid_out(cards: Table) -> Image:
    """Return a photograph of slightly rotated cards on a cloth, in rows of three."""
    across, down, gap = 3, 3, 90
    width, height = (round(side * PX_PER_MM) for side in CARD_SIZE_MM)
    size = (across * (width + gap) + gap, down * (height + gap) + gap)
    cloth = np.full((size[1], size[0], 3), CLOTH, np.uint8)
    for index, card in enumerate(cards):
        middle = (gap + width / 2 + index % across * (width + gap), gap + height / 2 + index // across * (height + gap))
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), (index % 5 - 2) * 2, 1)
        turn[:, 2] = turn[:, 2] + (middle[0] - width / 2, middle[1] - height / 2)
        cv2.warpAffine(
            printed_card(card), turn, size, dst=cloth, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
        )
    return cloth


def jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


def plain_jpeg(width: int, height: int, **how: object) -> bytes:
    stored = BytesIO()
    PillowImage.new("L", (width, height), 128).save(stored, "JPEG", **how)
    return stored.getvalue()


@cache
def printed_card(card: Card) -> Image:
    """Return the image of a printed card from edge to edge."""
    deck = load_deck("second")
    sheet = deck_sheets((card,), Paper.A4)[0]
    page = pages_of(deck_pdf(replace(deck, cards=(card,), advanced=()), Paper.A4, Texts(), backs=False))[0]
    spot = sheet.fronts[0][1]
    face = page[_box(Rectangle(spot.x, spot.y, *CARD_SIZE_MM))].copy()
    marker = card_marker(face_numbers(deck)[card])
    cells = cv2.resize(marker.pattern.astype(np.uint8) * 255, None, fx=10, fy=10, interpolation=cv2.INTER_NEAREST)
    box = _box(PRINTED_CARD.marker)
    part = face[box]
    part[:] = cv2.resize(cells, part.shape[1::-1], interpolation=cv2.INTER_NEAREST)[..., None]
    return face


@cache
def _mat() -> Image:
    mat = mat_of(6)
    pages = []
    for page, part in zip(pages_of(mat_pdf(6, Paper.A4, Texts())), mat_parts(mat, Paper.A4), strict=True):
        left, top = (Paper.A4.size_mm[1] - part.width) / 2, (Paper.A4.size_mm[0] - part.height) / 2
        pages.append(page[_box(Rectangle(left, top, part.width, part.height))])
    return np.hstack(pages)


def _skewed(mat: Image) -> Image:
    height, width = mat.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = np.array([[150, 260], [1880, 220], [1950, 860], [90, 900]], np.float32)
    turn = cv2.getPerspectiveTransform(corners, seen)
    return cv2.warpPerspective(mat, turn, (2048, 1152), flags=cv2.INTER_AREA, borderValue=CLOTH).astype(np.uint8)


def pages_of(content: bytes) -> list[Image]:
    document = pypdfium2.PdfDocument(content)
    try:
        return [page.render(scale=PX_PER_MM * 25.4 / 72).to_numpy()[..., :3].copy() for page in document]
    finally:
        document.close()


def _box(part: Rectangle) -> tuple[slice, slice]:
    """Return the rows and columns of a rectangle in millimetres."""
    left, top = round(part.x * PX_PER_MM), round(part.y * PX_PER_MM)
    return slice(top, top + round(part.height * PX_PER_MM)), slice(left, left + round(part.width * PX_PER_MM))
