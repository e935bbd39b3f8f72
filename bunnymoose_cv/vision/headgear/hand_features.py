"""Hand features: joints relative to the head, mirrored to the left, as the input of the hand network.

MediaPipe's world joints are not among them: on people left out they told nothing that the image's joints with their
depth do not, and the landmark files of real hands have none.

Everything is mirrored to the player's left side (a hand by itself: to a left hand), so that one net serves both
sides.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.hands import hand_geometry as measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head


Array: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class HandFeatures:
    """Many hands, mirrored to the left. NaN stands where nothing is known: no depth, no head.

    Attributes:
        points: joints in the image, shape (n, 21, 3), pixels or any unit; upright image.
        at_head: joints in the head's axes, shape (n, 21, 2), eye distances.
        temple: the temple in the head's axes, shape (n, 2), eye distances.
        facing: how far the head is turned to this side and nods up, shape (n, 2), degrees.
        own_hand: 1 where a left hand stands on the left side (or right on right), else 0; shape (n,).
    """

    points: Array
    at_head: Array
    temple: Array
    facing: Array
    own_hand: Array

    def __len__(self) -> int:
        return len(self.points)

    def take(self, rows: npt.NDArray[np.intp]) -> HandFeatures:
        """Some of the hands."""
        return HandFeatures(*(getattr(self, field.name)[rows] for field in fields(self)))

    @classmethod
    def join(cls, parts: Sequence[HandFeatures]) -> Self:
        """All hands of several."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


def features_at_head(hand: HandLandmarks, head: Head, side: Side) -> HandFeatures:
    """One hand that stands on a side of a head."""
    flip = np.float32(1 if side is Side.LEFT else -1)
    at_head, temple = head.measure(hand.points), head.temple(side)
    return HandFeatures(
        _flipped(hand.points, flip)[None],
        _flipped(at_head, flip)[None],
        _flipped(temple, flip)[None],
        np.array([[flip * head.turn_degrees, head.nod_degrees]], np.float32),
        np.array([hand.anatomical is side], np.float32),
    )


def features_alone(hand: HandLandmarks) -> HandFeatures:
    """One hand by itself."""
    flip = np.float32(1 if hand.anatomical is Side.LEFT else -1)
    return HandFeatures(
        _flipped(hand.points, flip)[None],
        np.full((1, 21, 2), np.nan, np.float32),
        np.full((1, 2), np.nan, np.float32),
        np.full((1, 2), np.nan, np.float32),
        np.full(1, np.nan, np.float32),
    )


def _flipped(points: Array, flip: np.float32) -> Array:
    """Points with their first coordinate mirrored where `flip` is -1."""
    flipped = points.copy()
    flipped[..., 0] *= flip
    return flipped


def features(hands: HandFeatures) -> Array:
    """Input of the hand network, shape (n, FEATURES); unknown features are 0, with an indicator of 0.

    Invariant to place, size and mirroring; in-image turning is taken out against the head where there is one.
    """
    return np.concatenate([_shape(hands.points), _against_head(hands)], 1)


def _known(points: Array) -> npt.NDArray[np.bool_]:
    """Mask of hands whose every feature is known."""
    return np.asarray(np.isfinite(points).all((1, 2)))


def _shape(points: Array) -> Array:
    """Shape features of the hand itself; depth may be unknown."""
    deep = _known(points)
    known = np.nan_to_num(points)
    joints = measure.upright(known)[:, 1:]
    return np.concatenate(
        [
            joints[..., :2].reshape(len(points), -1),
            joints[..., 2],
            measure.straightness(known),
            measure.reach(known),
            measure.straightness(known[..., :2]),
            measure.reach(known[..., :2]),
            measure.bend_degrees(known) / 90,
            measure.parting_degrees(known) / 20,
            measure.tips_apart(known[..., :2]),
            measure.thumb_apart(known[..., :2]),
            deep[:, None].astype(np.float32),
        ],
        1,
    )


def _against_head(hands: HandFeatures) -> Array:
    """Position and direction of the hand: in the head's axes, or, without a head, upright in the image."""
    headed = _known(hands.at_head)
    upright = hands.points[..., :2] * np.array([1, -1], np.float32)
    placed = np.where(headed[:, None, None], hands.at_head, upright)
    at_head = np.nan_to_num(hands.at_head)
    temple = np.nan_to_num(hands.temple)
    thumb = at_head[:, 4] - temple
    block = np.concatenate(
        [
            at_head.reshape(len(hands), -1) / 2,
            thumb,
            measure.length(thumb)[:, None],
            temple,
            measure.palm_length(at_head)[:, None],
            np.nan_to_num(hands.facing) / 30,
            np.nan_to_num(hands.own_hand)[:, None],
        ],
        1,
    )
    flag = headed[:, None].astype(np.float32)
    return np.concatenate([measure.directions(placed), block * flag, flag], 1)


FEATURES = 151
"""Number of values that `features` gives."""
