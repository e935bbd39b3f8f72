"""Letters on an image: sizes, weights and widths of text, text written from right to left, and the caption of an image.

OpenCV 5 contains the font. It writes all European letters, Hebrew and Japanese, from left to right and one by one, so
Hebrew words are reversed first. The letters of Arabic join, which requires Pillow and a system font.
"""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont, features

from bunnymoose_cv.core.unicode_text import RIGHT_TO_LEFT
from bunnymoose_cv.drawing.strokes import WHITE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.capture.frame import Image


BOLD, PLAIN = 700, 500
LARGEST_LETTERS, SMALLEST_LETTERS = 0.042, 0.012
"""Largest and smallest height of letters, as shares of the image's shorter side. They shrink until all labels fit."""

_JOINING_FONTS: Final = {
    PLAIN: ("DejaVuSans.ttf", "arial.ttf", "Arial.ttf", "tahoma.ttf", "GeezaPro.ttc", "NotoSansArabic-Regular.ttf"),
    BOLD: ("DejaVuSans-Bold.ttf", "arialbd.ttf", "Arial Bold.ttf", "tahomabd.ttf", "NotoSansArabic-Bold.ttf"),
}
"""Font files with Arabic letters that are installed with common systems, by weight."""


def text_width(text: str, letters: float, weight: int) -> float:
    """Return the width of a line of text in letters of a height, both in pixels."""
    pieces = _pieces(text, round(letters), weight)
    return sum(_advance(piece, font, round(letters), weight) for piece, font in pieces)


def write_text(canvas: Image, text: str, corner: tuple[float, float], letters: float, weight: int) -> None:
    """Write white text from the left end of its baseline, sizes in pixels, each word in the direction of its script."""
    x, y, size = float(round(corner[0])), round(corner[1]), round(letters)
    for piece, font in _pieces(text, size, weight):
        if font is None:
            cv2.putText(canvas, piece, (round(x), y), WHITE, _sans(), size, weight)
        else:
            mask = PillowImage.new("L", (canvas.shape[1], canvas.shape[0]))
            ImageDraw.Draw(mask).text((x, y), piece, 255, font, anchor="ls")
            share = np.asarray(mask, np.float32)[..., None] / 255
            canvas[:] = (canvas + (np.array(WHITE, np.float32) - canvas) * share).astype(np.uint8)
        x += _advance(piece, font, size, weight)


def _pieces(text: str, size: int, weight: int) -> Iterator[tuple[str, ImageFont.FreeTypeFont | None]]:
    """Split a line into pieces for OpenCV, in order from the left, and words whose letters join, with their font."""
    begin = 0
    for words in RIGHT_TO_LEFT.finditer(text):
        font = joining_font(words[0], size, weight)
        if font is not None:
            yield from ((piece, None) for piece in [_visual(text[begin : words.start()])] if piece)
            yield words[0], font
            begin = words.end()
    if rest := _visual(text[begin:]):
        yield rest, None


def _advance(piece: str, font: ImageFont.FreeTypeFont | None, size: int, weight: int) -> float:
    if font is not None:
        return font.getlength(piece)
    left, _, width, _ = cv2.getTextSize((0, 0), piece, (0, 0), _sans(), size, weight)
    return float(left + width)


def _visual(text: str) -> str:
    """Return a line in visual order, from the left."""
    return RIGHT_TO_LEFT.sub(lambda words: _turned(words[0]), text)


def _turned(words: str) -> str:
    from fpdf.bidi import BidiParagraph  # noqa: PLC0415 - most lines do without it
    from fpdf.enums import TextDirection  # noqa: PLC0415 - as well

    turned: str = BidiParagraph(words, TextDirection.RTL).get_reordered_string()
    return turned


def joining_font(words: str, size: int, weight: int) -> ImageFont.FreeTypeFont | None:
    """Load a font for words whose letters join. Return None if no letters join, or if the system lacks such a font."""
    joins = any(unicodedata.bidirectional(letter) == "AL" for letter in words)
    return _system_font(size, weight) if joins and features.check("raqm") else None


@cache
def _system_font(size: int, weight: int) -> ImageFont.FreeTypeFont | None:
    for name in _JOINING_FONTS[weight]:
        with suppress(OSError):
            return ImageFont.truetype(name, size, layout_engine=ImageFont.Layout.RAQM)
    return None


def _sans() -> cv2.FontFace:
    return cv2.FontFace("sans")


def draw_caption(image: Image, text: str) -> Image:
    """Return a copy of an image with a line of text, unless it is empty, on a dark bar along its lower edge."""
    canvas = image.copy()
    if not text:
        return canvas
    height, width = canvas.shape[:2]
    letters = LARGEST_LETTERS * min(height, width) * CAPTION_SCALE
    letters *= min(1.0, (width - 2 * letters) / text_width(text, letters, BOLD))
    bar = canvas[height - round(2 * letters) :]
    bar[:] = bar // 6
    write_text(canvas, text, (round(letters), height - round(0.65 * letters)), letters, BOLD)
    return canvas


CAPTION_SCALE = 1.4
"""Height of a caption's letters relative to the largest labels, since it is read from across the room."""
