"""Caption along the lower edge of an image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.drawing.letters import BOLD, LARGEST_LETTERS, text_width, write_text

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image


def draw_caption(image: Image, text: str) -> Image:
    """Write a line on a dark bar along the image's lower edge, in letters that fit its width.

    Args:
        text: one line; an empty one has no bar.

    Returns:
        A new image of the same size.
    """
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
"""Height of the letters of a caption, which is read from across the room, in those of the largest labels."""
