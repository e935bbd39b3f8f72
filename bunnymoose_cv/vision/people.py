"""From a whole picture to its players: whose hand stands on which side of whose head, seats from left to right.

Owns the crops in which the landmarker looks for hands, and the giving of hands to heads (`heads.py` finds those). Owns
no judgement of what a hand shows.

Why crops: MediaPipe finds none of ten hands in a whole 1080p frame, and nearly all in crops of one head
(`../shared/spikes`, measured again on 300 rendered players: head crop alone 87 %, with the second looks 98 %).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.heads import find_heads
from bunnymoose_cv.vision.landmarks import Box, Crop, HandLandmarks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.profile import PeopleLimits
    from bunnymoose_cv.vision.head import Head
    from bunnymoose_cv.vision.landmarks import Landmarkers
    from bunnymoose_cv.vision.workers import Workers


@dataclass(frozen=True, slots=True, eq=False)
class Player:
    """One player in one picture.

    Attributes:
        seat: 1 is the leftmost in the picture.
        head: the face and its axes.
        hands: the hand that stands on each side of the player's own head, where one was found.
    """

    seat: int
    head: Head
    hands: Mapping[Side, HandLandmarks] = field(default_factory=dict)


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
"""Where to look again, closer, for a side whose hand the look at the whole head did not find."""


def find_players(picture: Picture, workers: Workers, limits: PeopleLimits) -> tuple[Player, ...]:
    """Find all players with the hands at their heads, seats from left to right.

    Args:
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        workers: who looks.
        limits: sizes and distances (profile).
    """
    return with_hands(find_heads(picture, workers, limits), picture, workers, limits)


def with_hands(
    heads: tuple[Head, ...],
    picture: Picture,
    workers: Workers,
    limits: PeopleLimits,
    *,
    second_looks: int = len(SECOND_LOOKS),
) -> tuple[Player, ...]:
    """The players whose heads are known, with the hands at them.

    Args:
        heads: from left to right.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        workers: who looks.
        limits: sizes and distances (profile).
        second_looks: how often to look again for a hand that was not found; each costs as much as the first look.
    """
    hands: list[HandLandmarks] = []
    for pass_number in range(1 + second_looks):
        given = give_hands(hands, heads, limits)
        hands = without_doubles([*hands, *_looked_for(_places(heads, given, pass_number), picture, workers)])
    return holding(hands, heads, limits)


def hands_around(heads: Sequence[Head], picture: Picture, workers: Workers) -> Iterable[HandLandmarks]:
    """The hands that a first look at each head finds; it is begun at once and ends when they are asked for.

    Args:
        heads: where they are or were a moment ago.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        workers: who looks.
    """
    return _looked_for(_places(heads, [{} for _ in heads], 0), picture, workers)


def holding(hands: Iterable[HandLandmarks], heads: tuple[Head, ...], limits: PeopleLimits) -> tuple[Player, ...]:
    """The players whose heads, from left to right, and hands are known."""
    hands = without_doubles(list(hands))
    heads = _without_hands(heads, hands)
    given = give_hands(hands, heads, limits)
    return tuple(Player(seat, head, given[seat - 1]) for seat, head in enumerate(heads, 1))


def _looked_for(places: Iterable[_Place], picture: Picture, workers: Workers) -> Iterator[HandLandmarks]:
    """What hands there are in some places, as soon as it is known; begun at once."""
    found = workers.begin(lambda landmarkers, place: _hands_in(landmarkers, picture, place), places)
    return chain.from_iterable(found)


def give_hands(
    hands: Iterable[HandLandmarks], heads: Sequence[Head], limits: PeopleLimits
) -> list[dict[Side, HandLandmarks]]:
    """Give each hand to the head that it is nearest to, and there to the side on which it stands.

    A hand that is nearest to one head is never given to another, so a neighbour's hand is never taken; a hand farther
    than `limits.hand_reach` eye distances from every head is given to nobody.

    Returns:
        One mapping for each head, in the order of `heads`.
    """
    near: list[list[HandLandmarks]] = [[] for _ in heads]
    for hand in hands:
        distances = [head.distance_to(hand) for head in heads]
        if distances and min(distances) <= limits.hand_reach:
            near[int(np.argmin(distances))].append(hand)
    return [_by_side(own, head) for own, head in zip(near, heads, strict=True)]


def without_doubles(hands: Sequence[HandLandmarks]) -> list[HandLandmarks]:
    """Leave one of the hands that were found in several crops; two hands that touch stay two."""
    kept: list[HandLandmarks] = []
    for hand in sorted(hands, key=lambda hand: hand.confidence, reverse=True):
        if all(_apart(hand, other) > SAME_HAND for other in kept):
            kept.append(hand)
    return kept


SAME_HAND = 0.45
"""Hands that lie nearer to each other than this, in palms, are one hand found twice, whichever way round MediaPipe has
its digits the second time. Of 501 rendered players and 72 photographs fourteen such pairs are at most 0.25 apart, one
of them with a hand laid across two that touch; two hands of one rendered player are at least 0.83 apart."""


def _apart(hand: HandLandmarks, other: HandLandmarks) -> float:
    """Mean distance from the joints of each hand to the nearest ones of the other, in palms of the larger hand."""
    palm = max(_palm(hand), _palm(other))
    distances = np.linalg.norm(hand.points[:, None, :2] - other.points[None, :, :2], axis=2)
    return float(distances.min(1).mean() + distances.min(0).mean()) / 2 / palm


def _palm(hand: HandLandmarks) -> float:
    """The larger of the palm's length and breadth in the picture, pixels."""
    points = hand.points[:, :2]
    return max(float(np.linalg.norm(points[9] - points[0])), float(np.linalg.norm(points[5] - points[17])), 1e-6)


def _by_side(hands: Sequence[HandLandmarks], head: Head) -> dict[Side, HandLandmarks]:
    """The one or two hands nearest to the head, by side; of two the one farther to the player's left is the left."""
    nearest = sorted(hands, key=lambda hand: (head.size_of(hand) < SMALL_HAND, head.distance_to(hand)))[:2]
    ordered = sorted(nearest, key=head.leftwards)
    if len(ordered) == 2:  # noqa: PLR2004 - a head has two sides
        right, left = ordered
        if head.leftwards(right) < BOTH_ON_ONE_SIDE and head.leftwards(left) > -BOTH_ON_ONE_SIDE:
            return {Side.RIGHT: right, Side.LEFT: left}
    return {head.side_of(hand): hand for hand in reversed(nearest)}


SMALL_HAND = 0.75
"""A palm shorter than this, in eye distances, is seldom a hand at a head (1 in 20) and often a strand of hair: it is
looked for again, and stands back behind a larger one."""

BOTH_ON_ONE_SIDE = 0.6
"""Both hands farther than this from the head's middle, in eye distances to one side, stand on that side together."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A look laid on a picture: centre and side in its pixels."""

    centre: tuple[float, float]
    side: float
    look: Look


def _places(heads: Sequence[Head], given: Sequence[Mapping[Side, HandLandmarks]], pass_number: int) -> Iterator[_Place]:
    """Where one pass looks for hands: first at every head, then at every side still without a hand of size."""
    for head, own in zip(heads, given, strict=True):
        if pass_number == 0:
            yield _place(head, WHOLE_HEAD, Side.LEFT)
        else:
            for side in Side:
                if side not in own or head.size_of(own[side]) < SMALL_HAND:
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


def _without_hands(heads: Sequence[Head], hands: Sequence[HandLandmarks]) -> tuple[Head, ...]:
    """Heads less the fists and curled fingers that the face mesh took for one: there a hand fills the face."""
    boxes = [Box.around(hand.points) for hand in hands]
    return tuple(head for head in heads if len(heads) == 1 or not any(_fills(box, head.box) for box in boxes))


FILLED = 0.5
"""A hand that covers this share of a face's box, and lies by four fifths in it, is what the mesh took for a face."""


def _fills(hand: Box, face: Box) -> bool:
    size = hand.width * hand.height
    return size >= FILLED * face.width * face.height and hand.overlap(face) >= 0.8  # noqa: PLR2004 - see FILLED
