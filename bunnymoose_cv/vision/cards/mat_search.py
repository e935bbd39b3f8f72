"""Search for the mat: its 4×4 markers → the map from millimetres to the image → its places."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.card_frame import moved
from bunnymoose_cv.vision.cards.card_markers import marker_detector
from bunnymoose_cv.vision.cards.card_settings import MAT
from bunnymoose_cv.vision.cards.mat import PLACE_COUNTS, mat_of
from bunnymoose_cv.vision.shrink import shrink

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.mat import Mat


@cache
def _mat_markers() -> tuple[cv2.aruco.ArucoDetector, tuple[int, ...]]:
    """The detector of the mats' few markers, and their ids in the order of its own."""
    ids = tuple(marker.id for places in PLACE_COUNTS for marker in mat_of(places).markers)
    return marker_detector(ids), ids


def find_mat(image: Image) -> npt.NDArray[np.float32] | None:
    """Find the places of a mat in an image; their corners, shape (places, 4, 2), or None without at least two markers.

    The corners go clockwise from the place's top left as the mat is printed.
    """
    small, scale = shrink(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), MAT.searched_px)
    detector, ids = _mat_markers()
    corners, found, _ = detector.detectMarkers(small)
    if found is None:
        return None
    seen = {
        ids[int(index)]: np.asarray(square.reshape(4, 2) / scale, np.float32)
        for square, index in zip(corners, found.ravel(), strict=True)
    }
    for places in PLACE_COUNTS:
        located = _located(mat_of(places), seen)
        if located is not None:
            return located
    return None


def _located(mat: Mat, seen: dict[int, npt.NDArray[np.float32]]) -> npt.NDArray[np.float32] | None:
    markers = [marker for marker in mat.markers if marker.id in seen]
    if len(markers) < MAT.fewest_markers:
        return None
    printed = np.concatenate([marker.square.corners for marker in markers])
    image = np.concatenate([seen[marker.id] for marker in markers])
    onto, kept = cv2.findHomography(printed, image, cv2.RANSAC, MAT.off_px)
    if onto is None or kept.mean() < MAT.fitting_share:
        return None
    return moved(np.concatenate([place.corners for place in mat.places]), np.asarray(onto, np.float64)).reshape(
        -1, 4, 2
    )
