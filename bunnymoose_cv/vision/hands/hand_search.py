"""Hand search: in crops around each head, or in an image of one hand alone, even if it is tightly cropped.

MediaPipe finds none of ten hands in a whole 1080p frame, but nearly all in crops of one head (`../shared/spikes`). One
crop is cut around each head, then closer crops of each side that may hold a hand not yet found.

MediaPipe's palm detector needs room around a hand, and a hand of some size. Fists in crops of 100 pixels were found in
3 of 11 images as they were, and in 11 of 11 after padding and enlarging (`../shared/spikes`). So a lone hand is
searched in several paddings, then in the same mirrored, until one is found. Turning the image does not help
(docs/experiments/008).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, product
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.geometry import CropSpec
from bunnymoose_cv.vision.hands.assignment import assign_hands, suppress_duplicate_hands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import PeopleSettings
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.geometry import Crop
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
    from bunnymoose_cv.vision.nets.worker_pool import Workers


WHOLE_HEAD = CropSpec(side=11.0, size=512, upward=0.9)
BESIDE = CropSpec(side=6.2, size=448, outward=2.2, upward=1.1)
CLOSER = (BESIDE, replace(BESIDE, degrees=180.0))
"""Crops for a side whose hand has not been found yet, tried in order. Hands that point down are found more often upside
down. With only the first crop, questions are added for 22 of 1023 real people and avoided for 8
(docs/experiments/008). A third crop, above the head, cost a quarter of all closer crops and changed the poses of 2 of
1310 people, one of them for the worse (docs/experiments/018)."""


def find_hands(  # noqa: PLR0913 - the image, its heads, and what is known of them
    found: Iterable[HandLandmarks],
    heads: tuple[Head, ...],
    image: Image,
    workers: Workers,
    settings: PeopleSettings,
    *,
    looks_closer: Callable[[Head, Side], bool],
) -> list[HandLandmarks]:
    """Find the hands at known heads: those found around the heads, and those that only closer crops show.

    Args:
        found: the hands found by `hands_around`.
        looks_closer: a predicate: whether a side without a hand gets closer crops, each of which costs as much as the
            first one. It is called on the workers' threads.
    """
    hands = suppress_duplicate_hands(list(found))
    missing = _sides_without_hand(hands, heads, settings)
    closer = workers.map(lambda _, place: looks_closer(*place), missing)
    asked = [place for place, looks in zip(missing, closer, strict=True) if looks]
    for spec in CLOSER if asked else ():
        missing = [place for place in _sides_without_hand(hands, heads, settings) if place in asked]
        hands = suppress_duplicate_hands([*hands, *_looked_for(missing, spec, image, workers)])
    return hands


def _sides_without_hand(
    hands: Sequence[HandLandmarks], heads: tuple[Head, ...], settings: PeopleSettings
) -> list[tuple[Head, Side]]:
    given = zip(heads, assign_hands(hands, heads, settings), strict=True)
    return [(head, side) for head, own in given for side in Side if side not in own]


def hands_around(heads: Sequence[Head], image: Image, workers: Workers) -> Iterable[HandLandmarks]:
    """Search for hands in one crop around each head. The search begins at once, and iteration waits for it."""
    return _looked_for([(head, Side.LEFT) for head in heads], WHOLE_HEAD, image, workers)


def _looked_for(
    places: Iterable[tuple[Head, Side]], spec: CropSpec, image: Image, workers: Workers
) -> Iterator[HandLandmarks]:
    """Search for hands in crops at heads. The search begins at once, and hands are yielded in order."""
    turn = np.array([-1, -1, 1] if spec.degrees else [1, 1, 1], np.float32)

    def hands_at(landmarkers: Landmarkers, place: tuple[Head, Side]) -> list[HandLandmarks]:
        head, side = place
        crop = spec.cut(image, head.place(spec, side), head.eye_distance)
        found = landmarkers.hands(crop.image)
        return [replace(hand, points=crop.to_whole(hand.points), world=turn * hand.world) for hand in found]

    return chain.from_iterable(workers.begin(hands_at, places))


SIZE = 512
"""Side of a resized square around a lone hand, pixels."""

CROPS = tuple(CropSpec(side, SIZE) for side in (1.1, 2.4, 1.6, 4.0))
"""Squares that are searched for a lone hand, in units of the image's longer side. The first two found 33 of 33
tightly cropped hands, all with the right handedness."""


def find_lone_hand(image: Image, workers: Workers) -> HandLandmarks | None:
    """Find the surest hand in the first square that shows one, in an image of one hand alone; None without a hand."""
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
    """Map a hand from a crop, which may be mirrored, to the whole image."""
    if mirrored:
        hand = replace(hand, world=hand.world * np.array([-1, 1, 1], np.float32), anatomical=hand.anatomical.other)
    return replace(hand, points=crop.to_whole(hand.points))
