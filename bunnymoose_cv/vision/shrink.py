"""Images shrunk for what needs no more pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image


def shrink(image: Image, longest_px: int) -> tuple[Image, float]:
    """Shrink an image, of colour or grey, by area.

    Returns:
        The image, the same where it is small enough; and pixels of it for one of the given image, 0 to 1.
    """
    scale = longest_px / max(image.shape[:2])
    if scale >= 1:
        return image, 1.0
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale
