"""Bounds on the dimensions of images and clips, checked before any pixel is decoded."""

from __future__ import annotations

from typing import Final

from bunnymoose_cv.capture.frame import UnreadableError

LARGEST_MEGAPIXELS: Final = 120
"""Bound of an image; 8K has 33, the largest phone images in use 108."""

MOST_ELONGATED: Final = 20
"""Longer over shorter side; a panorama has 8, and each further one costs the face detector more tiles."""


def is_too_large(width: int, height: int) -> bool:
    """True beyond the largest number of pixels."""
    return width * height > LARGEST_MEGAPIXELS * 1_000_000


def check_dimensions(name: str, width: int, height: int) -> None:
    """Refuse an image that is too large or too elongated.

    Raises:
        UnreadableError: its sentence says which.
    """
    if is_too_large(width, height):
        raise UnreadableError(f"{name} has more than {LARGEST_MEGAPIXELS} million pixels: save it smaller")
    if max(width, height) > MOST_ELONGATED * min(width, height):
        raise UnreadableError(
            f"{name} is {width} × {height} pixels, one side more than {MOST_ELONGATED} times the other: cut it"
        )
