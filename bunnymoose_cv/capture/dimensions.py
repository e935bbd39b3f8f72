"""Dimensions of images and clips: bounds that are checked before any pixel is decoded, and fitting to one size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.capture.frame import UnreadableError

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Frame, Image

LARGEST_MEGAPIXELS: Final = 120
"""Bound of an image; 8K has 33, the largest phone images in use 108."""

MOST_ELONGATED: Final = 20
"""Longer over shorter side; a panorama has 8."""

_ALIKE: Final = 0.97
"""Share of an area that has to be filled to be filled whole: sizes are rounded."""


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


def fit_frame(frame: Frame, size: tuple[int, int]) -> Frame:
    """Bring a frame to a size, as `fit_image`: clips and streams may change theirs in the middle."""
    return frame if frame.size == size else replace(frame, image=fit_image(frame.image, size))


def fit_image(image: Image, size: tuple[int, int]) -> Image:
    """Bring an image to a size, width and height in pixels: whole and in its shape, between black bars if need be."""
    height, width = image.shape[:2]
    if (width, height) == size:
        return image
    scale = min(size[0] / width, size[1] / height)
    inner = (max(1, round(width * scale)), max(1, round(height * scale)))
    if inner[0] * inner[1] >= _ALIKE * size[0] * size[1]:
        inner = size
    resized = cv2.resize(image, inner, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    left, top = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
    right, bottom = size[0] - inner[0] - left, size[1] - inner[1] - top
    return np.asarray(cv2.copyMakeBorder(resized, top, bottom, left, right, cv2.BORDER_CONSTANT), np.uint8)
