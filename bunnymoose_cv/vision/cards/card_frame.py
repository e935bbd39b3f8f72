"""Frame of a card, 252 × 352 pixels with 4 per millimetre, and rectified crops of an image in this frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image

CROP_SIZE: Final = (252, 352)
"""Width and height of a card's frame, and of an enrolled image."""

Homography: TypeAlias = npt.NDArray[np.float64]
"""Projective map of the plane, shape (3, 3)."""

Corners: TypeAlias = npt.NDArray[np.float32]
"""Corners clockwise from the top left, shape (4, 2)."""

FRAME_CORNERS: Final = np.array(
    [[0, 0], [CROP_SIZE[0], 0], [CROP_SIZE[0], CROP_SIZE[1]], [0, CROP_SIZE[1]]], np.float32
)
"""Corners of a card in its frame."""

HALF_TURN: Final = np.array([[-1, 0, CROP_SIZE[0]], [0, -1, CROP_SIZE[1]], [0, 0, 1]], np.float64)
"""Map from the frame of a card to the frame of the same card upside down."""


def from_frame(corners_px: Corners) -> Homography:
    """Return the map from the card's frame to the image."""
    return np.asarray(cv2.getPerspectiveTransform(FRAME_CORNERS, corners_px.astype(np.float32)), np.float64)


def moved(points: npt.NDArray[np.float32], by: Homography) -> npt.NDArray[np.float32]:
    """Map points of shape (n, 2) by a homography."""
    return np.asarray(cv2.perspectiveTransform(points.astype(np.float32)[:, None], by), np.float32)[:, 0]


def rectified(image: Image, frame_to_image: Homography, scale: float, margin: float = 0.0) -> Image:
    """Cut a card and a margin around it out of an image.

    Args:
        scale: number of pixels of the crop per pixel of the frame.
        margin: width of the margin, pixels of the frame; negative to cut only the middle.
    """
    to_crop = np.array([[scale, 0, margin * scale], [0, scale, margin * scale], [0, 0, 1]], np.float64)
    width, height = (round((length + 2 * margin) * scale) for length in CROP_SIZE)
    matrix = to_crop @ np.linalg.inv(frame_to_image)
    return np.asarray(cv2.warpPerspective(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def card_height(corners_px: Corners) -> float:
    """Return the height of a card in the image, pixels."""
    left, right = np.linalg.norm(corners_px[3] - corners_px[0]), np.linalg.norm(corners_px[2] - corners_px[1])
    return float((left + right) / 2)
