"""Card faces as pixels: the artwork rasterised, the printed card with its marker, and the enrolment of our own deck."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from resvg_py import svg_to_bytes

from bunnymoose_cv.art.card_art import card_face
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE
from bunnymoose_cv.vision.cards.card_reading import CardFaceId
from bunnymoose_cv.vision.cards.enrolment import EnrolledCard, Enrolment
from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, PRINTED_CARD, Rectangle, card_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.cards import Card

_VARIABLE: Final = re.compile(r"var\(--[\w-]+, (#\w+)\)")
"""Colour of the art as a CSS variable, with the fallback that is used outside of pages."""


def plain_svg(svg: str) -> str:
    """Return art for programs without CSS variables: each colour is its fallback."""
    return _VARIABLE.sub(r"\1", svg)


def rasterised(svg: str, size: tuple[int, int]) -> Image:
    """Return art on white paper as BGR pixels of this width and height."""
    encoded = svg_to_bytes(
        svg_string=plain_svg(svg), background="#ffffff", width=size[0], height=size[1], skip_system_fonts=True
    )
    decoded = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None, "resvg writes PNG"  # noqa: S101 - for the type checker
    return cv2.resize(decoded, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def printed_card(card: Card, number: int, pixels_per_mm: float = 4.0) -> Image:
    """Return a card as `deck print` prints it, between its cut edges: artwork, and the marker of its number."""
    width, height = (round(length * pixels_per_mm) for length in CARD_SIZE_MM)
    paper = np.full((height, width, 3), 255, np.uint8)
    left, top, right, bottom = _pixels(PRINTED_CARD.face, pixels_per_mm)
    paper[top:bottom, left:right] = rasterised(card_face(card, Texts()), (right - left, bottom - top))
    left, top, right, bottom = _pixels(PRINTED_CARD.marker, pixels_per_mm)
    cells = card_marker(number).pattern.astype(np.uint8) * 255
    black = cv2.resize(cells, (right - left, bottom - top), interpolation=cv2.INTER_NEAREST)
    paper[top:bottom, left:right] = black[..., None]
    return paper


def _pixels(rectangle: Rectangle, pixels_per_mm: float) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of a rectangle."""
    corners = np.rint(rectangle.corners * pixels_per_mm).astype(int)
    return int(corners[0, 0]), int(corners[0, 1]), int(corners[2, 0]), int(corners[2, 1])


def printed_enrolment(cards: Sequence[Card]) -> Enrolment:
    """Return the enrolment of the printed deck from the artwork: distinct cards in the order of the deck."""
    scale = CROP_SIZE[0] / CARD_SIZE_MM[0]
    return Enrolment(
        tuple(
            EnrolledCard(CardFaceId(str(card)), printed_card(card, number, scale), card_marker(number).id)
            for number, card in enumerate(dict.fromkeys(cards))
        )
    )
