"""Reader of the 4×4 markers on printed cards: independent of the artwork, silent about a card that bears none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, Homography, rectified
from bunnymoose_cv.vision.cards.card_settings import DECISION
from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, MARKER_DICTIONARY, PRINTED_CARD, Rectangle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image

_PX_PER_MM: Final = CROP_SIZE[0] / CARD_SIZE_MM[0]

MARKER_CORNERS: Final = PRINTED_CARD.marker.corners * np.float32(_PX_PER_MM)
"""Corners of a printed marker in the card's frame, shape (4, 2)."""

_AROUND: Final = 40.0
"""Search margin around a marker's printed place, in the card's frame: 10 mm."""


def marker_detector(ids: Sequence[int]) -> cv2.aruco.ArucoDetector:
    """A detector of a few markers; it numbers them by their order here."""
    whole = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    few = cv2.aruco.Dictionary(np.ascontiguousarray(whole.bytesList[list(ids)]), whole.markerSize, 1)
    parameters = cv2.aruco.DetectorParameters()
    parameters.errorCorrectionRate = 0.3  # 0.6, the default, finds markers that are none (opencv#28953)
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.adaptiveThreshWinSizeMax = 43
    return cv2.aruco.ArucoDetector(few, parameters)


class CardMarkers:
    """Reader of the markers of a deck.

    Args:
        markers: id of each face's marker, None where the face bears none.
    """

    def __init__(self, markers: Sequence[int | None]) -> None:
        marked = [(face, marker) for face, marker in enumerate(markers) if marker is not None]
        self._faces = [face for face, _ in marked]
        self._detector = marker_detector([marker for _, marker in marked]) if marked else None

    def read(self, image: Image, frame_to_image: Homography) -> int | None:
        """Read the marker of an aligned card: the index of its face, None where no marker of the deck is seen."""
        if self._detector is None:
            return None
        strip = Rectangle(*(MARKER_CORNERS[0] - _AROUND), *(MARKER_CORNERS[2] - MARKER_CORNERS[0] + 2 * _AROUND))
        margin = round(_AROUND)
        crop = cv2.cvtColor(rectified(image, frame_to_image, 1.0, margin), cv2.COLOR_BGR2GRAY)
        left, top = round(float(strip.x)) + margin, round(float(strip.y)) + margin
        part = np.ascontiguousarray(
            crop[top : top + round(float(strip.height)), left : left + round(float(strip.width))]
        )
        corners, found, _ = self._detector.detectMarkers(part)
        for square, index in zip(corners, () if found is None else found.ravel(), strict=True):
            off = square.reshape(4, 2) + MARKER_CORNERS[0] - _AROUND - MARKER_CORNERS
            if np.abs(off).max() < DECISION.marker_off:
                return self._faces[int(index)]
        return None


def is_marked(crop: Image, marker: int | None) -> bool:
    """Tell if an image of the card's frame shows a printed card's marker."""
    return CardMarkers([marker]).read(crop, np.eye(3)) is not None
