"""Composites: a thing in the light of its background, feathered and pasted with its shadow.

Hands at heads, tongues and held things at mouths, and cards on tables are all laid by these functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image

Layer: TypeAlias = npt.NDArray[Any]
"""Numbers of pixels: colours of shape (height, width, 3), or shares from 0 to 1 of shape (height, width, 1)."""

PALM = (0, 1, 5, 9, 13, 17)
"""Joints around the palm, in MediaPipe's order."""


def moved_by(matrix: npt.NDArray[np.float64], image: Image, size: int) -> Layer:
    """Return an image under an affine map, a square of a size in pixels, its border repeated."""
    return cv2.warpAffine(image, matrix, (size, size), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def feathered(mask: Layer, softness: float) -> Layer:
    """Return the shares of a mask, shape (height, width), whose edge is softened by a standard deviation in pixels."""
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), softness))[..., None]


def pasted(thing: Layer, share: Layer, background: Layer | Image, shadow: Layer | None = None) -> Layer:
    """Paste a thing over a background.

    Args:
        thing: its colours.
        share: how much of each pixel it covers.
        background: what it covers.
        shadow: how much of the background's light it takes away; None for none.
    """
    shaded = background if shadow is None else background * (1 - shadow)
    return np.asarray(shaded * (1 - share) + thing * share)


def drawn_hand(
    shape: Sequence[int], joints: npt.NDArray[np.float64], width: float, fingers: Sequence[Sequence[int]]
) -> npt.NDArray[np.uint8]:
    """Draw the mask of a hand, 0 or 1, from its joints in pixels and the width of its fingers."""
    mask = np.zeros(shape, np.uint8)
    points = np.round(joints).astype(np.int32)
    cv2.fillConvexPoly(mask, cv2.convexHull(points[list(PALM)]), 1)
    for finger in fingers:
        cv2.polylines(mask, [points[list(finger)]], isClosed=False, color=1, thickness=max(1, round(width)))
    return mask
