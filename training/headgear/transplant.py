"""Lays the rendered hand of one stored cut over a photographed side.

Photographs with a hand at a head are not ours to learn from, and those of plain heads teach a net that photographs show
nothing. With a rendered hand over half of them it has to look at the hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from training.headgear.gather import STORED_SIZE, STORED_WINDOW

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

_FINGERS: Final = ((0, 1, 2, 3, 4), (0, 5, 6, 7, 8), (0, 9, 10, 11, 12), (0, 13, 14, 15, 16), (0, 17, 18, 19, 20))
_PALM: Final = (0, 1, 5, 9, 13, 17)

_FINGER_WIDTH = 0.33
"""In eye distances: a finger is a quarter, and joints lie a little off its middle."""

_EDGE = 1.2
"""Softness of the hand's edge, in pixels."""

_DARKEST = 20
"""Added to the mean brightness of both images, so that no hand out of the dark becomes glaring."""


def hand_in_cut(joints: npt.NDArray[np.floating]) -> bool:
    """Tell if a hand's joints, shape (21, 2), are known and lie in the cut."""
    return bool(np.all(np.isfinite(joints)) and np.all((joints > 0) & (joints < STORED_SIZE - 1)))


def laid_over(image: Image, joints: npt.NDArray[np.floating], photograph: Image, draw: np.random.Generator) -> Image:
    """The hand of a stored cut in the light of a photograph and over it.

    Args:
        image: shape (STORED_SIZE, STORED_SIZE, 3).
        joints: of its hand, shape (21, 2), pixels.
        photograph: another stored cut.
        draw: chance.
    """
    cover = _cover(joints.astype(np.float64), draw.uniform(0.9, 1.2))[..., None]
    lights = [one.reshape(-1, 3).mean(0) + _DARKEST for one in (photograph, image)]
    lit = np.clip((lights[0] / lights[1]) ** draw.uniform(0.0, 1.0) * image, 0, 255)
    return np.asarray(cover * lit + (1 - cover) * photograph, np.uint8)


def _cover(joints: npt.NDArray[np.float64], wider: float) -> npt.NDArray[np.float32]:
    """Coverage of each pixel by the hand, shape (STORED_SIZE, STORED_SIZE), 0 to 1."""
    width = round(_FINGER_WIDTH * STORED_SIZE / STORED_WINDOW * wider)
    cover = np.zeros((STORED_SIZE, STORED_SIZE), np.uint8)
    places = np.round(joints).astype(np.int32)
    cv2.fillConvexPoly(cover, cv2.convexHull(places[list(_PALM)]), 255)
    for finger in _FINGERS:
        cv2.polylines(cover, [places[list(finger)]], isClosed=False, color=255, thickness=width)
    return np.asarray(cv2.GaussianBlur(cover, (0, 0), _EDGE), np.float32) / np.float32(255)
