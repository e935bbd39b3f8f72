"""Assignment of hands to heads and to the sides of each head."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.settings import HANDS
from bunnymoose_cv.vision.suppress import suppress

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bunnymoose_cv.core.user_settings import PeopleSettings
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head


@dataclass(frozen=True, slots=True, eq=False)
class Player:
    """One player in one image.

    Attributes:
        seat: 1 is the leftmost in the image.
        hands: the hand that stands on each side of the player's own head, where one was found.
    """

    seat: int
    head: Head
    hands: Mapping[Side, HandLandmarks] = field(default_factory=dict)


def holding(hands: Iterable[HandLandmarks], heads: tuple[Head, ...], settings: PeopleSettings) -> tuple[Player, ...]:
    """Assign hands to heads, and number the players from the left."""
    hands = suppress_duplicate_hands(list(hands))
    heads = drop_heads_on_hands(heads, hands)
    given = assign_hands(hands, heads, settings)
    return tuple(Player(seat, head, given[seat - 1]) for seat, head in enumerate(heads, 1))


def assign_hands(
    hands: Iterable[HandLandmarks], heads: Sequence[Head], settings: PeopleSettings
) -> list[dict[Side, HandLandmarks]]:
    """Give each hand to the head that it most likely belongs to, and there to the side on which it is.

    That is the nearest head within `settings.hand_reach` eye distances, but people hold their left hand to their left
    side: a right hand there counts as `HANDS.other_hand` farther, so that of two neighbours the right one gets it.

    Returns:
        One mapping for each head, in the order of `heads`.
    """
    near: list[list[HandLandmarks]] = [[] for _ in heads]
    for hand in hands:
        within = [row for row, head in enumerate(heads) if head.distance_to(hand) <= settings.hand_reach]
        if within:
            near[min(within, key=lambda row: _cost(hand, heads[row]))].append(hand)
    return [_by_side(own, head) for own, head in zip(near, heads, strict=True)]


def _cost(hand: HandLandmarks, head: Head) -> float:
    """Return the distance of a hand from a head, plus what counts against it, eye distances."""
    return head.distance_to(hand) + (0.0 if hand.anatomical is head.side_of(hand) else HANDS.other_hand)


def suppress_duplicate_hands(hands: Sequence[HandLandmarks]) -> list[HandLandmarks]:
    """Suppress duplicates of hands that several crops show (NMS); two hands that touch stay two."""
    return suppress(hands, lambda hand: hand.confidence, lambda hand, other: _apart(hand, other) <= HANDS.same_hand)


def _apart(hand: HandLandmarks, other: HandLandmarks) -> float:
    """Mean distance from the joints of each hand to the nearest ones of the other, in palms of the larger hand."""
    palm = max(_palm(hand), _palm(other))
    distances = np.linalg.norm(hand.points[:, None, :2] - other.points[None, :, :2], axis=2)
    return float(distances.min(1).mean() + distances.min(0).mean()) / 2 / palm


def _palm(hand: HandLandmarks) -> float:
    """The larger of the palm's length and breadth in the image, pixels."""
    points = hand.points[:, :2]
    return max(float(np.linalg.norm(points[9] - points[0])), float(np.linalg.norm(points[5] - points[17])), 1e-6)


def _by_side(hands: Sequence[HandLandmarks], head: Head) -> dict[Side, HandLandmarks]:
    """The one or two hands nearest to the head, by side; of two the one farther to the player's left is the left."""
    nearest = sorted(hands, key=head.distance_to)[:2]
    ordered = sorted(nearest, key=head.leftwards)
    if len(ordered) == 2:  # a head has two sides
        right, left = ordered
        if head.leftwards(right) < HANDS.both_on_one_side and head.leftwards(left) > -HANDS.both_on_one_side:
            return {Side.RIGHT: right, Side.LEFT: left}
    return {head.side_of(hand): hand for hand in reversed(nearest)}


def drop_heads_on_hands(heads: Sequence[Head], hands: Sequence[HandLandmarks]) -> tuple[Head, ...]:
    """Drop heads that are fists or curled fingers: there a hand fills the face."""
    boxes = [Box.around(hand.points) for hand in hands]
    return tuple(head for head in heads if len(heads) == 1 or not any(_fills(box, head.box) for box in boxes))


def _fills(hand: Box, face: Box) -> bool:
    return hand.area >= HANDS.filled_face * face.area and hand.share_in(face) >= 0.8  # see HANDS.filled_face
