"""Hand features: the input of the hand network, from the joints of a hand and their places at a head.

MediaPipe's world joints are not among them: on people left out they added nothing to the image's joints with their
depth, and the landmark files of real hands have none.

Everything is mirrored to the player's left side (a hand by itself: to a left hand), so that one network serves both
sides.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final, Self, TypeAlias

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
    """Many hands, mirrored to the left; an unknown depth or place is NaN.

    Attributes:
        points: joints in the upright image, shape (n, 21, 3), in pixels or any other unit.
        at_head: joints in the head's axes, outward and upward of the eyes' middle, shape (n, 21, 2), eye distances.
    """

    points: Array
    at_head: Array

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
    """Return one hand on a side of a head."""
    flip = np.float32(1 if side is Side.LEFT else -1)
    return HandFeatures(_flipped(hand.points, flip)[None], _flipped(head.measure(hand.points), flip)[None])


def features_alone(hand: HandLandmarks) -> HandFeatures:
    """Return one hand by itself."""
    flip = np.float32(1 if hand.anatomical is Side.LEFT else -1)
    return HandFeatures(_flipped(hand.points, flip)[None], np.full((1, 21, 2), np.nan, np.float32))


def _flipped(points: Array, flip: np.float32) -> Array:
    """Return points with their first coordinate mirrored if `flip` is -1."""
    flipped = points.copy()
    flipped[..., 0] *= flip
    return flipped


def features(hands: HandFeatures) -> Array:
    """Return the input of the hand network, shape (n, FEATURES): the shape of each hand, then its place.

    The shape is invariant to position, size and in-image rotation. A hand by itself has zeros for its place, except
    for the directions, which are those in the upright image.
    """
    return np.concatenate([_shape(hands.points), _place(hands)], 1)


def _known(points: Array) -> npt.NDArray[np.bool_]:
    """Return the mask of hands whose every coordinate is known."""
    return np.asarray(np.isfinite(points).all((1, 2)))


def _shape(points: Array) -> Array:
    """Return the shape of each hand, shape (n, SHAPE_FEATURES); its depth may be unknown."""
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


SHAPE_FEATURES: Final = 95
"""Number of the first features, which describe the shape alone."""

HEAD_CENTRE: Final = np.array([0.0, 0.35], np.float32)
_HEAD_RADII: Final = np.array([1.35, 2.0], np.float32)
"""Centre and half axes of an ellipse around head and hair, in the head's axes, eye distances."""

_FACE: Final = np.array([[0.5, 0.0], [-0.5, 0.0], [0.0, -0.5], [0.0, -0.9]], np.float32)
"""Near eye, far eye, nose and mouth in the head's axes, eye distances."""

_PALM: Final = [0, 5, 9, 13, 17]
_KEY_JOINTS: Final = [4, 0, 5, 8, 12]
"""Tip of the thumb, wrist, root and tip of the index finger, tip of the middle finger."""


def head_distance(points: Array) -> Array:
    """Return the distances of points from the outline of head and hair, negative within it, eye distances.

    Args:
        points: in the head's axes, shape (..., 2), eye distances.
    """
    radii = np.linalg.norm((points - HEAD_CENTRE) / _HEAD_RADII, axis=-1)
    return np.asarray((radii - 1) * _HEAD_RADII[0], np.float32)


def _place(hands: HandFeatures) -> Array:
    """Return the place of each hand in the head's axes, shape (n, FEATURES - SHAPE_FEATURES)."""
    headed = _known(hands.at_head)
    upright = hands.points[..., :2] * np.array([1, -1], np.float32)
    directions = measure.directions(np.where(headed[:, None, None], hands.at_head, upright))
    joints = np.nan_to_num(hands.at_head)
    distance = head_distance(joints)
    palm, tips = joints[:, _PALM].mean(1), joints[:, measure.TIPS[1:]].mean(1)
    block = np.concatenate(
        [
            joints[:, _KEY_JOINTS].reshape(len(joints), -1),
            distance[:, _KEY_JOINTS],
            distance.min(1, keepdims=True),
            distance.mean(1, keepdims=True),
            (distance < 0).mean(1, keepdims=True),
            palm,
            tips,
            head_distance(palm)[:, None],
            measure.length(joints[:, 9] - joints[:, 0])[:, None],
            measure.length(joints[:, None] - _FACE[:, None]).min(2),
        ],
        1,
    )
    flag = headed[:, None].astype(np.float32)
    return np.asarray(np.concatenate([directions, block * flag, flag], 1), np.float32)


FEATURES: Final = 128
"""Number of values that `features` gives."""
