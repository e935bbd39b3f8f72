"""Letters on an image: sizes, weights and widths of text.

OpenCV 5 brings the font; it writes every European letter.
"""

from __future__ import annotations

import cv2

BOLD, PLAIN = 700, 500
LARGEST_LETTERS, SMALLEST_LETTERS = 0.042, 0.012
"""Height of the letters, in the image's shorter side: they begin large and shrink until all labels fit."""


def text_width(text: str, letters: float, weight: int) -> float:
    """Measure a line of text, pixels.

    Args:
        letters: height of the letters, pixels.
        weight: `BOLD` or `PLAIN`.
    """
    left, _, width, _ = cv2.getTextSize((0, 0), text, (0, 0), sans(), round(letters), weight)
    return float(left + width)


def sans() -> cv2.FontFace:
    """Load the font."""
    return cv2.FontFace("sans")
