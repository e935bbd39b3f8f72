"""Hand search: crops around each head, then closer crops for sides without a hand.

MediaPipe finds none of ten hands in a whole 1080p frame, and nearly all in crops of one head (`../shared/spikes`;
on 300 rendered players: head crop alone 87 %, with the second looks 98 %).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.geometry import Crop
from bunnymoose_cv.vision.hands.assignment import Player, assign_hands, holding, suppress_duplicate_hands
from bunnymoose_cv.vision.settings import HANDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.core.profile import PeopleLimits
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
    from bunnymoose_cv.vision.nets.worker_pool import Workers


@dataclass(frozen=True, slots=True)
class Look:
    """A square to look for hands in, placed against a head; lengths in eye distances.

    Attributes:
        outward: how far its centre lies from the middle between the eyes towards the side that is looked at.
        upward: how far its centre lies above the eyes.
        side: its side.
        size: pixels that it is brought to.
        upside_down: whether it is turned by half a turn: hands that point down are then found more often.
    """

    outward: float
    upward: float
    side: float
    size: int
    upside_down: bool = False


WHOLE_HEAD = Look(outward=0.0, upward=0.9, side=11.0, size=512)
SECOND_LOOKS = (
    Look(outward=2.2, upward=1.1, side=6.2, size=448),
    Look(outward=1.1, upward=2.2, side=6.6, size=384),
    Look(outward=2.2, upward=1.1, side=6.2, size=448, upside_down=True),
)
"""Closer crops for a side whose hand the crop of the whole head did not show."""


def find_players(picture: Picture, workers: Workers, limits: PeopleLimits) -> tuple[Player, ...]:
    """Find all players with the hands at their heads, seats from left to right.

    Args:
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        workers: who looks.
        limits: sizes and distances (profile).
    """
    heads = find_heads(picture, workers, limits)
    return holding(find_hands(heads, picture, workers, limits), heads, limits)


def find_hands(
    heads: tuple[Head, ...],
    picture: Picture,
    workers: Workers,
    limits: PeopleLimits,
    *,
    closer_crops: int = len(SECOND_LOOKS),
) -> list[HandLandmarks]:
    """Find the hands at known heads.

    Args:
        heads: from left to right.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        workers: who looks.
        limits: sizes and distances (profile).
        closer_crops: passes of closer crops for sides without a hand; each costs as much as the first crop.
    """
    hands: list[HandLandmarks] = []
    for pass_number in range(1 + closer_crops):
        given = assign_hands(hands, heads, limits)
        hands = suppress_duplicate_hands([*hands, *_looked_for(_places(heads, given, pass_number), picture, workers)])
    return hands


def hands_around(heads: Sequence[Head], picture: Picture, workers: Workers) -> Iterable[HandLandmarks]:
    """The hands that a first look at each head finds; it is begun at once and ends when they are asked for.

    Args:
        heads: where they are or were a moment ago.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        workers: who looks.
    """
    return _looked_for(_places(heads, [{} for _ in heads], 0), picture, workers)


def _looked_for(places: Iterable[_Place], picture: Picture, workers: Workers) -> Iterator[HandLandmarks]:
    """Search hands in some places, begun at once, yielded as found."""
    found = workers.begin(lambda landmarkers, place: _hands_in(landmarkers, picture, place), places)
    return chain.from_iterable(found)


@dataclass(frozen=True, slots=True)
class _Place:
    """A look laid on a picture: centre and side in its pixels."""

    centre: tuple[float, float]
    side: float
    look: Look


def _places(heads: Sequence[Head], given: Sequence[Mapping[Side, HandLandmarks]], pass_number: int) -> Iterator[_Place]:
    """Places of one hand search: first every head, then every side still without a hand of size."""
    for head, own in zip(heads, given, strict=True):
        if pass_number == 0:
            yield _place(head, WHOLE_HEAD, Side.LEFT)
        else:
            for side in Side:
                if side not in own or head.size_of(own[side]) < HANDS.small_palm:
                    yield _place(head, SECOND_LOOKS[pass_number - 1], side)


def _place(head: Head, look: Look, side: Side) -> _Place:
    outward = look.outward if side is Side.LEFT else -look.outward
    return _Place(head.at(outward, look.upward), look.side * head.eye_distance, look)


def _hands_in(landmarkers: Landmarkers, picture: Picture, place: _Place) -> list[HandLandmarks]:
    crop = Crop.cut(picture, place.centre, place.side, place.look.size)
    if not place.look.upside_down:
        return [replace(hand, points=crop.to_whole(hand.points)) for hand in landmarkers.hands(crop.picture)]
    turned = np.ascontiguousarray(crop.picture[::-1, ::-1])
    around = np.array([place.look.size, place.look.size, 0], np.float32)
    half_turn = np.array([-1, -1, 1], np.float32)
    return [
        replace(hand, points=crop.to_whole(around + half_turn * hand.points), world=half_turn * hand.world)
        for hand in landmarkers.hands(turned)
    ]
