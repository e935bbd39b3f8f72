"""Assignment of hands to heads and to the sides of each head."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.detections import suppress
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.settings import HANDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bunnymoose_cv.core.user_settings import PeopleSettings
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head


@dataclass(frozen=True, slots=True, eq=False)
class Player:
    """Player in one image.

    Attributes:
        seat: number of the seat; 1 is the leftmost in the image.
        hands: the hands found at the player's head, by the side of the player's own head.
        neighbours_hands: the hands at the heads of all other players.
    """

    seat: int
    head: Head
    hands: Mapping[Side, HandLandmarks] = field(default_factory=dict)
    neighbours_hands: tuple[HandLandmarks, ...] = ()


def holding(hands: Iterable[HandLandmarks], heads: tuple[Head, ...], settings: PeopleSettings) -> tuple[Player, ...]:
    """Assign hands to heads, and number the players from the left."""
    hands = suppress_duplicate_hands(list(hands))
    heads = drop_heads_on_hands(heads, hands)
    given = assign_hands(hands, heads, settings)
    return tuple(
        Player(seat, head, own, tuple(hand for others in given if others is not own for hand in others.values()))
        for seat, (head, own) in enumerate(zip(heads, given, strict=True), 1)
    )


def assign_hands(
    hands: Iterable[HandLandmarks], heads: Sequence[Head], settings: PeopleSettings
) -> list[dict[Side, HandLandmarks]]:
    """Assign each hand to the head that it most likely belongs to, and to the side of the head that it is on.

    That is the nearest head within `settings.hand_reach` eye distances. Since players usually hold their left hand to
    their left side, a right hand there counts as `HANDS.other_hand` farther away. So the right one of two neighbours
    gets it. The result has one mapping per head.
    """
    near: list[list[HandLandmarks]] = [[] for _ in heads]
    for hand in hands:
        within = [row for row, head in enumerate(heads) if head.distance_to(hand) <= settings.hand_reach]
        if within:
            near[min(within, key=lambda row: _cost(hand, heads[row]))].append(hand)
    return [_by_side(own, head) for own, head in zip(near, heads, strict=True)]


def _cost(hand: HandLandmarks, head: Head) -> float:
    """Return the distance of a hand from a head, plus a penalty if it is on the other hand's side, eye distances."""
    return head.distance_to(hand) + (0.0 if hand.anatomical is head.side_of(hand) else HANDS.other_hand)


def suppress_duplicate_hands(hands: Sequence[HandLandmarks]) -> list[HandLandmarks]:
    """Suppress duplicates of hands that several crops show (NMS). Two hands that touch are kept."""
    extents = {hand: (Box.around(hand.points), _palm(hand)) for hand in hands}

    def is_same(hand: HandLandmarks, other: HandLandmarks) -> bool:
        (box, palm), (other_box, other_palm) = extents[hand], extents[other]
        farthest = HANDS.same_hand * max(palm, other_palm)
        return box.gap_to(other_box) <= farthest and _apart(hand, other) <= farthest  # most hands are clearly apart

    return suppress(hands, lambda hand: hand.confidence, is_same)


def _apart(hand: HandLandmarks, other: HandLandmarks) -> float:
    """Return the mean distance from the joints of each hand to the nearest of the other, pixels."""
    distances = np.linalg.norm(hand.points[:, None, :2] - other.points[None, :, :2], axis=2)
    return float(distances.min(1).mean() + distances.min(0).mean()) / 2


def _palm(hand: HandLandmarks) -> float:
    """Return the larger of the palm's length and breadth in the image, pixels."""
    points = hand.points[:, :2]
    return max(float(np.linalg.norm(points[9] - points[0])), float(np.linalg.norm(points[5] - points[17])), 1e-6)


def _by_side(hands: Sequence[HandLandmarks], head: Head) -> dict[Side, HandLandmarks]:
    """Return the one or two hands nearest to the head, by side.

    If there are two, the one farther to the player's left is the left, unless both are clearly on one side.
    """
    nearest = sorted(hands, key=head.distance_to)[:2]
    ordered = sorted(nearest, key=head.leftwards)
    if len(ordered) == 2:  # a head has two sides
        right, left = ordered
        if head.leftwards(right) < HANDS.both_on_one_side and head.leftwards(left) > -HANDS.both_on_one_side:
            return {Side.RIGHT: right, Side.LEFT: left}
    return {head.side_of(hand): hand for hand in reversed(nearest)}


def drop_heads_on_hands(heads: Sequence[Head], hands: Sequence[HandLandmarks]) -> tuple[Head, ...]:
    """Drop heads whose face is filled by a hand: fists and curled fingers. A single head is kept."""
    boxes = [Box.around(hand.points) for hand in hands]
    return tuple(head for head in heads if len(heads) == 1 or not any(_fills(box, head.box) for box in boxes))


def _fills(hand: Box, face: Box) -> bool:
    return hand.area >= HANDS.filled_face * face.area and hand.share_in(face) >= 0.8  # see HANDS.filled_face
