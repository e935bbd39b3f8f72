"""Readers of the printed 4×4 markers: those on cards, and those of a mat, which locate its places in an image.

They do not depend on the artwork of cards, and ignore cards without a marker.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, Homography, moved, rectified
from bunnymoose_cv.vision.cards.card_settings import DECISION, MAT
from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, MARKER_DICTIONARY, PLACE_COUNTS, PRINTED_CARD, mat_of
from bunnymoose_cv.vision.geometry import shrink

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.mat import Mat


MARKER_CORNERS: Final = PRINTED_CARD.marker.corners * np.float32(CROP_SIZE[0] / CARD_SIZE_MM[0])
"""Corners of a printed marker in the card's frame, shape (4, 2)."""

_AROUND: Final = 40
"""Search margin around a marker's printed place, in the card's frame: 10 mm."""


def marker_detector(ids: Sequence[int]) -> cv2.aruco.ArucoDetector:
    """Return a detector of a few markers, which numbers them by their order in `ids`."""
    whole = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    few = cv2.aruco.Dictionary(np.ascontiguousarray(whole.bytesList[list(ids)]), whole.markerSize, 1)
    parameters = cv2.aruco.DetectorParameters()
    parameters.errorCorrectionRate = 0.3  # the default, 0.6, finds false markers (opencv#28953)
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.adaptiveThreshWinSizeMax = 43
    return cv2.aruco.ArucoDetector(few, parameters)


def _squares(detector: cv2.aruco.ArucoDetector, image: Image) -> Iterator[tuple[int, npt.NDArray[np.float32]]]:
    """Yield the detector's index and the corners, shape (4, 2), of each marker in an image."""
    corners, found, _ = detector.detectMarkers(image)
    for square, index in zip(corners, () if found is None else found.ravel(), strict=True):
        yield int(index), np.asarray(square.reshape(4, 2), np.float32)


class CardMarkers:
    """Reader of the markers of a deck, from the marker id of each face, or None for a face without a marker."""

    def __init__(self, markers: Sequence[int | None]) -> None:
        marked = [(face, marker) for face, marker in enumerate(markers) if marker is not None]
        self._faces = [face for face, _ in marked]
        self._detector = marker_detector([marker for _, marker in marked]) if marked else None

    def read(self, image: Image, frame_to_image: Homography) -> int | None:
        """Read the marker of an aligned card, and return the index of its face, or None if no marker is seen."""
        if self._detector is None:
            return None
        crop = cv2.cvtColor(rectified(image, frame_to_image, 1.0, _AROUND), cv2.COLOR_BGR2GRAY)
        left, top = (round(float(edge)) + _AROUND for edge in MARKER_CORNERS[0] - _AROUND)
        width, height = (round(float(side)) for side in MARKER_CORNERS[2] - MARKER_CORNERS[0] + 2 * _AROUND)
        part = np.ascontiguousarray(crop[top : top + height, left : left + width], np.uint8)
        for index, square in _squares(self._detector, part):
            off = square + MARKER_CORNERS[0] - _AROUND - MARKER_CORNERS
            if np.abs(off).max() < DECISION.marker_off:
                return self._faces[index]
        return None


def is_marked(crop: Image, marker: int | None) -> bool:
    """Return whether an image of the card's frame shows a printed card's marker."""
    return CardMarkers([marker]).read(crop, np.eye(3)) is not None


@cache
def _mat_markers() -> tuple[cv2.aruco.ArucoDetector, tuple[int, ...]]:
    """Return a detector of the mats' markers, and their ids in the order of its indices."""
    ids = tuple(marker.id for places in PLACE_COUNTS for marker in mat_of(places).markers)
    return marker_detector(ids), ids


def find_mat(image: Image) -> npt.NDArray[np.float32] | None:
    """Return the corners of a mat's places, shape (places, 4, 2), or None if fewer than two markers are seen.

    The corners of a place go clockwise from its top left as the mat is printed.
    """
    small, scale = shrink(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), MAT.searched_px)
    detector, ids = _mat_markers()
    seen = {ids[index]: np.asarray(square / scale, np.float32) for index, square in _squares(detector, small)}
    located = (_located(mat_of(places), seen) for places in PLACE_COUNTS)
    return next((places for places in located if places is not None), None)


def _located(mat: Mat, seen: dict[int, npt.NDArray[np.float32]]) -> npt.NDArray[np.float32] | None:
    markers = [marker for marker in mat.markers if marker.id in seen]
    if len(markers) < MAT.fewest_markers:
        return None
    printed = np.concatenate([marker.square.corners for marker in markers])
    image = np.concatenate([seen[marker.id] for marker in markers])
    onto, kept = cv2.findHomography(printed, image, cv2.RANSAC, MAT.off_px)
    if onto is None or kept.mean() < MAT.fitting_share:
        return None
    places = np.concatenate([place.corners for place in mat.places])
    return moved(places, np.asarray(onto, np.float64)).reshape(-1, 4, 2)
