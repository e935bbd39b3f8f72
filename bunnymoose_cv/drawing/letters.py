"""Letters on an image: sizes, weights and widths of text, and text written from right to left.

OpenCV 5 brings the font. It writes every European letter, Hebrew and Japanese, all from left to right and each by
itself: Hebrew words are turned round for it. The letters of Arabic join, which takes Pillow and a font of the system.
"""

from __future__ import annotations

import unicodedata
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
"""Height of the letters, in the image's shorter side: they begin large and shrink until all labels fit."""

_JOINING_FONTS: Final = {
    PLAIN: ("DejaVuSans.ttf", "arial.ttf", "Arial.ttf", "tahoma.ttf", "GeezaPro.ttc", "NotoSansArabic-Regular.ttf"),
    BOLD: ("DejaVuSans-Bold.ttf", "arialbd.ttf", "Arial Bold.ttf", "tahomabd.ttf", "NotoSansArabic-Bold.ttf"),
}
"""Files of fonts with Arabic letters that systems bring along, by weight."""


def text_width(text: str, letters: float, weight: int) -> float:
    """Measure a line of text, pixels.

    Args:
        text: one line.
        letters: height of the letters, pixels.
        weight: `BOLD` or `PLAIN`.
    """
    pieces = _pieces(text, round(letters), weight)
    return sum(_advance(piece, font, round(letters), weight) for piece, font in pieces)


def write_text(canvas: Image, text: str, corner: tuple[float, float], letters: float, weight: int) -> None:
    """Write a line of text in white, each word in the direction of its script.

    Args:
        canvas: is written on.
        text: one line.
        corner: left end of the baseline, pixels.
        letters: height of the letters, pixels.
        weight: `BOLD` or `PLAIN`.
    """
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
    """Split a line into what OpenCV draws, in order from the left, and words whose letters join, with their font."""
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
    """Return a line in the order in which it is drawn from the left."""
    return RIGHT_TO_LEFT.sub(lambda words: _turned(words[0]), text)


def _turned(words: str) -> str:
    from fpdf.bidi import BidiParagraph  # noqa: PLC0415 - most lines do without it
    from fpdf.enums import TextDirection  # noqa: PLC0415 - as well

    turned: str = BidiParagraph(words, TextDirection.RTL).get_reordered_string()
    return turned


def joining_font(words: str, size: int, weight: int) -> ImageFont.FreeTypeFont | None:
    """Load a font for words whose letters join; None if none do, or there is no such font."""
    joins = any(unicodedata.bidirectional(letter) == "AL" for letter in words)
    return _system_font(size, weight) if joins and features.check("raqm") else None


@cache
def _system_font(size: int, weight: int) -> ImageFont.FreeTypeFont | None:
    for name in _JOINING_FONTS[weight]:
        try:
            return ImageFont.truetype(name, size, layout_engine=ImageFont.Layout.RAQM)
        except OSError:
            continue
    return None


def _sans() -> cv2.FontFace:
    """Load the font."""
    return cv2.FontFace("sans")
