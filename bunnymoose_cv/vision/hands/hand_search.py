"""Hand search: a crop around each head, then closer crops for each side without a hand that may hold one.

MediaPipe finds none of ten hands in a whole 1080p frame, and nearly all in crops of one head (`../shared/spikes`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
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
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
    from bunnymoose_cv.vision.nets.worker_pool import Workers


WHOLE_HEAD = CropSpec(side=11.0, size=512, upward=0.9)
BESIDE = CropSpec(side=6.2, size=448, outward=2.2, upward=1.1)
ABOVE = CropSpec(side=6.6, size=384, outward=1.1, upward=2.2)
CLOSER = (BESIDE, ABOVE, replace(BESIDE, degrees=180.0))
"""Crops for a side whose hand no crop before shows; hands that point down are found more often upside down. With the
first alone 22 of 1023 real people more are asked about, and 8 less
(docs/experiments/008)."""


def find_hands(
    heads: tuple[Head, ...],
    image: Image,
    workers: Workers,
    settings: PeopleSettings,
    *,
    looks_closer: Callable[[Head, Side], bool],
) -> list[HandLandmarks]:
    """Find the hands at known heads.

    Args:
        heads: from left to right.
        looks_closer: whether a side without a hand gets closer crops, each of which costs as much as the first one.
            Called on the workers' threads.
    """
    hands = suppress_duplicate_hands(list(hands_around(heads, image, workers)))
    missing = _sides_without_hand(hands, heads, settings)
    closer = workers.map(lambda _, place: looks_closer(place.head, place.side), missing)
    asked = {(place.head, place.side) for place, looks in zip(missing, closer, strict=True) if looks}
    for spec in CLOSER if asked else ():
        missing = [place for place in _sides_without_hand(hands, heads, settings) if (place.head, place.side) in asked]
        hands = suppress_duplicate_hands(
            [*hands, *_looked_for([replace(place, spec=spec) for place in missing], image, workers)]
        )
    return hands


def _sides_without_hand(
    hands: Sequence[HandLandmarks], heads: tuple[Head, ...], settings: PeopleSettings
) -> list[_Place]:
    given = zip(heads, assign_hands(hands, heads, settings), strict=True)
    return [_Place(head, side, BESIDE) for head, own in given for side in Side if side not in own]


def hands_around(heads: Sequence[Head], image: Image, workers: Workers) -> Iterable[HandLandmarks]:
    """Search hands in one crop around each head; begun at once, waited for when iterated.

    Args:
        heads: where they are or were a moment ago.
    """
    return _looked_for([_Place(head, Side.LEFT, WHOLE_HEAD) for head in heads], image, workers)


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A crop on one side of a head."""

    head: Head
    side: Side
    spec: CropSpec


def _looked_for(places: Iterable[_Place], image: Image, workers: Workers) -> Iterator[HandLandmarks]:
    """Search hands in crops at heads, begun at once, yielded as found."""
    found = workers.begin(lambda landmarkers, place: _hands_in(landmarkers, image, place), places)
    return chain.from_iterable(found)


def _hands_in(landmarkers: Landmarkers, image: Image, place: _Place) -> list[HandLandmarks]:
    centre = place.head.place(place.spec, place.side)
    crop = place.spec.cut(image, centre, place.head.eye_distance)
    turn = np.array([-1, -1, 1] if place.spec.degrees else [1, 1, 1], np.float32)
    found = landmarkers.hands(crop.image)
    return [replace(hand, points=crop.to_whole(hand.points), world=turn * hand.world) for hand in found]
