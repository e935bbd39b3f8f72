"""Search for one hand in an image of that hand alone, however tight the crop.

MediaPipe's palm detector wants room around a hand and a hand of some size: fists in crops of 100 pixels were found in
3 of 11 images as they are, in 11 of 11 padded and enlarged (`../shared/spikes`). So the image is padded more and more,
then mirrored, until a hand is found; turning it brings nothing more (docs/experiments/008).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.vision.detections import HandLandmarks
from bunnymoose_cv.vision.geometry import CropSpec

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.geometry import Crop, Points
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
    from bunnymoose_cv.vision.nets.worker_pool import Workers


SIZE = 512
"""Pixels that a square is brought to."""

CROPS = tuple(CropSpec(side, SIZE) for side in (1.1, 2.4, 1.6, 4.0))
"""Squares that are looked at, in the image's longer side; the first two found 33 of 33 tight hands, all as the hand
(left or right) that they are."""

_MIRRORED: Points = np.array([-1, 1, 1], np.float32)


def find_lone_hand(image: Image, workers: Workers) -> HandLandmarks | None:
    """Find one hand.

    Returns:
        The hand that MediaPipe is surest of in the first look that shows one, in the image's own pixels; None where
        no look shows any.
    """
    return workers.map(_search, [image])[0]


def _search(landmarkers: Landmarkers, image: Image) -> HandLandmarks | None:
    height, width = image.shape[:2]
    for mirrored, spec in product((False, True), CROPS):
        crop = replace(spec, mirrored=mirrored).cut(image, (width / 2, height / 2), max(width, height))
        hands = landmarkers.hands(crop.image)
        if hands:
            return _put_back(max(hands, key=lambda hand: hand.confidence), crop, mirrored=mirrored)
    return None


def _put_back(hand: HandLandmarks, crop: Crop, *, mirrored: bool) -> HandLandmarks:
    """Map a hand of a crop, which may be mirrored, to the whole image."""
    return HandLandmarks(
        crop.to_whole(hand.points),
        hand.world * (_MIRRORED if mirrored else np.float32(1)),
        hand.anatomical.other if mirrored else hand.anatomical,
        hand.confidence,
    )
