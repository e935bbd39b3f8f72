"""Search for one hand in an image of that hand alone, however tight the crop.

MediaPipe's palm detector wants room around a hand and a hand of some size: fists in crops of 100 pixels were found in
3 of 11 images as they are, in 11 of 11 padded and enlarged (`../shared/spikes`). So the image is padded more and more,
then turned, then mirrored, until a hand is found.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.vision.detections import HandLandmarks
from bunnymoose_cv.vision.geometry import Crop

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
    from bunnymoose_cv.vision.nets.worker_pool import Workers


ROOM = (1.1, 2.4, 1.6, 4.0)
"""Sides of the squares that are looked at, in the picture's longer side; the first two found 33 of 33 tight hands, all
as the hand (left or right) that they are."""

SIZE = 512
"""Pixels that a square is brought to."""

QUARTER_TURNS = (0, 1, 3, 2)
"""Counterclockwise quarter turns of the picture to try, the likeliest first."""


_TURNED_BACK: Points = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]], np.float32)
"""Takes back one quarter turn counterclockwise, about the middle."""

_MIRRORED: Points = np.array([[-1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)


def find_lone_hand(picture: Picture, workers: Workers) -> HandLandmarks | None:
    """Find one hand.

    Args:
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        workers: who looks.

    Returns:
        The hand that MediaPipe is surest of in the first look that shows one, in the picture's own pixels; None where
        no look shows any.
    """
    return workers.map(_search, [picture])[0]


def _search(landmarkers: Landmarkers, picture: Picture) -> HandLandmarks | None:
    height, width = picture.shape[:2]
    crops = [Crop.cut(picture, (width / 2, height / 2), room * max(width, height), SIZE) for room in ROOM]
    for mirrored, turns, crop in product((False, True), QUARTER_TURNS, crops):
        seen = np.fliplr(crop.picture) if mirrored else crop.picture
        hands = landmarkers.hands(np.ascontiguousarray(np.rot90(seen, turns)))
        if hands:
            return _put_back(max(hands, key=lambda hand: hand.confidence), crop, turns, mirrored=mirrored)
    return None


def _put_back(hand: HandLandmarks, crop: Crop, turns: int, *, mirrored: bool) -> HandLandmarks:
    """A hand of a turned and mirrored crop as a hand of the whole picture."""
    back = np.linalg.matrix_power(_TURNED_BACK, turns)
    if mirrored:
        back = _MIRRORED @ back
    middle = np.array([SIZE / 2, SIZE / 2, 0], np.float32)
    return HandLandmarks(
        crop.to_whole((hand.points - middle) @ back.T + middle),
        hand.world @ back.T,
        hand.anatomical.other if mirrored else hand.anatomical,
        hand.confidence,
    )
