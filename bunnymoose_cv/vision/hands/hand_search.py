"""Hand search: a crop around each head, then a closer crop for each side without a hand.

MediaPipe finds none of ten hands in a whole 1080p frame, and nearly all in crops of one head (`../shared/spikes`).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.geometry import CropSpec
from bunnymoose_cv.vision.hands.assignment import assign_hands, suppress_duplicate_hands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.core.profile import PeopleLimits
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
    from bunnymoose_cv.vision.nets.worker_pool import Workers


WHOLE_HEAD = CropSpec(side=11.0, size=512, upward=0.9)
CLOSER = CropSpec(side=6.2, size=448, outward=2.2, upward=1.1)
"""For a side whose hand the crop of the whole head did not show."""


def find_hands(
    heads: tuple[Head, ...],
    picture: Picture,
    workers: Workers,
    limits: PeopleLimits,
    *,
    closer_crops: bool = True,
) -> list[HandLandmarks]:
    """Find the hands at known heads.

    Args:
        heads: from left to right.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        workers: who looks.
        limits: sizes and distances (profile).
        closer_crops: whether each side without a hand gets a closer crop, which costs as much as the first one.
    """
    hands = suppress_duplicate_hands(list(hands_around(heads, picture, workers)))
    if not closer_crops:
        return hands
    given = assign_hands(hands, heads, limits)
    missing = [(head, side, CLOSER) for head, own in zip(heads, given, strict=True) for side in Side if side not in own]
    return suppress_duplicate_hands([*hands, *_looked_for(missing, picture, workers)])


def hands_around(heads: Sequence[Head], picture: Picture, workers: Workers) -> Iterable[HandLandmarks]:
    """The hands that a first look at each head finds; it is begun at once and ends when they are asked for.

    Args:
        heads: where they are or were a moment ago.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        workers: who looks.
    """
    return _looked_for([(head, Side.LEFT, WHOLE_HEAD) for head in heads], picture, workers)


_Place: TypeAlias = "tuple[Head, Side, CropSpec]"


def _looked_for(places: Iterable[_Place], picture: Picture, workers: Workers) -> Iterator[HandLandmarks]:
    """Search hands in crops at heads, begun at once, yielded as found."""
    found = workers.begin(lambda landmarkers, place: _hands_in(landmarkers, picture, *place), places)
    return chain.from_iterable(found)


def _hands_in(
    landmarkers: Landmarkers, picture: Picture, head: Head, side: Side, spec: CropSpec
) -> list[HandLandmarks]:
    crop = spec.cut(picture, head.place(spec, side), head.eye_distance)
    return [replace(hand, points=crop.to_whole(hand.points)) for hand in landmarkers.hands(crop.picture)]
