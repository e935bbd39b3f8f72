"""Keypoints of an image with RootSIFT descriptors (Arandjelović and Zisserman, 2012)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image


@dataclass(frozen=True, slots=True, eq=False)
class Keypoints:
    """Keypoints of one image.

    Attributes:
        places: shape (n, 2), pixels.
        angles: degrees, clockwise.
        sizes: diameters, pixels.
        descriptors: RootSIFT, of unit length, shape (n, 128).
    """

    places: npt.NDArray[np.float32]
    angles: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.float32]
    descriptors: npt.NDArray[np.float32]


def root_sift(grey: Image, most: int, contrast: float) -> Keypoints:
    """Find the strongest keypoints.

    Args:
        most: number of them; as many more as are equally strong.
        contrast: lowest of a keypoint.
    """
    found, descriptors = cv2.SIFT.create(nfeatures=most, contrastThreshold=contrast).detectAndCompute(grey, None)
    if descriptors is None:
        descriptors = np.zeros((0, 128), np.float32)
    return Keypoints(
        np.array([point.pt for point in found], np.float32).reshape(-1, 2),
        np.array([point.angle for point in found], np.float32),
        np.array([point.size for point in found], np.float32),
        np.sqrt(descriptors / np.maximum(descriptors.sum(1, keepdims=True), 1e-6)).astype(np.float32),
    )
