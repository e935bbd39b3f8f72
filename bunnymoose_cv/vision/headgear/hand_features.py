"""Hand features: the input of the hand network, from the joints of a hand and their places at a head.

MediaPipe's world joints are not used. On held-out people they did not improve on the image's joints with their depth,
and the landmark files of real hands lack them.

Everything is mirrored to the player's left side (a hand without a head: to a left hand), so that one network serves
both sides.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.faces.head import FACE_OUTLINE, LEFT_EYE, LIPS, NOSE, RIGHT_EYE
from bunnymoose_cv.vision.hands import hand_geometry as measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head


Array: TypeAlias = npt.NDArray[np.float32]

Inputs: TypeAlias = Array
"""Inputs of the hand network, one row for each hand, shape (n, FEATURES)."""


@dataclass(frozen=True, slots=True, eq=False)
class HandFeatures:
    """Hands with the heads that they are at, mirrored to the left. Unknown values are NaN, unit is the eye distance.

    Attributes:
        points: joints in the upright image, shape (n, 21, 3), in any unit.
        at_head: joints in the head's axes, outward and upward of the eyes' middle, shape (n, 21, 2).
        outline: distance of the face's outline from the eyes' middle, shape (n, DIRECTIONS).
        face: near eye, far eye, nose and mouth in the head's axes, shape (n, 4, 2).
        pixels: logits of the hand-shape network, shape (n, PIXEL_LOGITS).
    """

    points: Array
    at_head: Array
    outline: Array
    face: Array
    pixels: Array

    def __len__(self) -> int:
        return len(self.points)

    def take(self, rows: npt.NDArray[np.intp]) -> HandFeatures:
        """Return some of the hands, by row."""
        return HandFeatures(*(getattr(self, field.name)[rows] for field in fields(self)))

    @classmethod
    def join(cls, parts: Sequence[HandFeatures]) -> Self:
        """Concatenate several sets of hands."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))

    @classmethod
    def alone(cls, points: Array) -> Self:
        """Return hands without a head, from joints of shape (n, 21, 3)."""
        count = len(points)
        shapes = (count, 21, 2), (count, DIRECTIONS), (count, 4, 2), (count, PIXEL_LOGITS)
        return cls(points, *(np.full(shape, np.nan, np.float32) for shape in shapes))


def features_at_head(hand: HandLandmarks, head: Head, side: Side, pixels: Array | None = None) -> HandFeatures:
    """Return the features of one hand on a side of a head, and of its pixels if their logits are known."""
    flip = np.float32(1 if side is Side.LEFT else -1)
    mesh = _flipped(head.measure(head.face.points), flip)
    return HandFeatures(
        _flipped(hand.points, flip)[None],
        _flipped(head.measure(hand.points), flip)[None],
        _radii(mesh[FACE_OUTLINE])[None],
        _face(mesh, side)[None],
        np.full((1, PIXEL_LOGITS), np.nan, np.float32) if pixels is None else pixels,
    )


def features_alone(hand: HandLandmarks) -> HandFeatures:
    """Return the features of one hand without a head."""
    flip = np.float32(1 if hand.anatomical is Side.LEFT else -1)
    return HandFeatures.alone(_flipped(hand.points, flip)[None])


def _flipped(points: Array, flip: np.float32) -> Array:
    """Return points with their first coordinate mirrored if `flip` is -1."""
    flipped = points.copy()
    flipped[..., 0] *= flip
    return flipped


PIXEL_LOGITS: Final = 6
"""Number of logits of the hand-shape network (`hand_shape.py`)."""

DIRECTIONS: Final = 24
"""Number of directions in which a head's outline is measured: a full turn, beginning outward and then upward."""

_TURN: Final = 2 * np.pi
_ANGLES: Final = _TURN * np.arange(DIRECTIONS) / DIRECTIONS
"""Angle of each direction, radians."""


def _radii(outline: Array) -> Array:
    """Return the distances from the origin to a closed line around it in all directions, shape (DIRECTIONS,)."""
    angles = np.arctan2(outline[:, 1], outline[:, 0])
    return np.asarray(np.interp(_ANGLES, angles, np.linalg.norm(outline, axis=1), period=_TURN), np.float32)


def _face(mesh: Array, side: Side) -> Array:
    """Return the near eye, the far eye, nose and mouth, shape (4, 2)."""
    near, far = (LEFT_EYE, RIGHT_EYE) if side is Side.LEFT else (RIGHT_EYE, LEFT_EYE)
    return np.stack([mesh[part].mean(0) for part in (near, far, [NOSE], LIPS)])


def features(hands: HandFeatures) -> Inputs:
    """Return the inputs of the hand network: shape and place of each hand, then its pixels' logits.

    The shape is invariant to position, size and in-image rotation. For a hand without a head the place is zero, except
    for the directions, which are those in the upright image.
    """
    seen = np.isfinite(hands.pixels[:, :1]).astype(np.float32)
    return np.concatenate([_shape(hands.points), _place(hands), np.nan_to_num(hands.pixels), seen], 1)


def with_pixels(inputs: Inputs, pixels: Array) -> Inputs:
    """Return inputs of n hands with the logits of their pixels, shape (n, PIXEL_LOGITS)."""
    seen = np.ones((len(inputs), 1), np.float32)
    return np.concatenate([inputs[:, : -PIXEL_LOGITS - 1], pixels, seen], 1)


def _known(points: Array) -> npt.NDArray[np.bool_]:
    """Return the mask of hands whose every coordinate is known."""
    return np.asarray(np.isfinite(points).all((1, 2)))


def _shape(points: Array) -> Array:
    """Return the shape features of each hand, shape (n, SHAPE_FEATURES). The depth may be unknown."""
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
"""Number of leading features, which describe only the shape."""

_HAIR_ABOVE, _HAIR_BESIDE = 0.4, 0.2
"""Allowance for hair and skull outside the face's outline, eye distances. It is fitted to the labels of
`../shared/people/shapes.csv`, which classify hands as touching the head, near to it, or far from it."""

_CHEEK: Final = -0.35
"""Sine of the lowest direction in which hair is allowed for."""

_HAIR: Final = np.asarray(
    _HAIR_ABOVE * np.sin(_ANGLES).clip(0) + _HAIR_BESIDE * np.abs(np.cos(_ANGLES)) * (np.sin(_ANGLES) > _CHEEK),
    np.float32,
)
"""Thickness of the hair in each direction, eye distances, shape (DIRECTIONS,)."""

_PALM: Final = [0, 5, 9, 13, 17]
_KEY_JOINTS: Final = [4, 0, 5, 8, 12]
"""Tip of the thumb, wrist, root and tip of the index finger, tip of the middle finger."""
_FINGERS: Final = [joint for joint in range(21) if joint not in {1, 2, 3, 4}]
"""All joints except the thumb's, which may be in front of the face."""
_MOUTH: Final = 3
"""Row of the mouth among the parts of a face."""


def with_hair(outline: Array) -> Array:
    """Return the outlines of heads including hair, from the outlines of their faces, shape (n, DIRECTIONS)."""
    return np.asarray(outline + _HAIR, np.float32)


def outline_distance(points: Array, outline: Array) -> Array:
    """Return the distances of points from outlines, negative within them, shape (n, m), in eye distances.

    Args:
        points: the points in the head's axes, shape (n, m, 2).
        outline: shape (n, DIRECTIONS).
    """
    steps = np.arctan2(points[..., 1], points[..., 0]) / _TURN * DIRECTIONS
    before = np.floor(steps).astype(np.intp)
    rows = np.arange(len(points))[:, None]
    near, far = (outline[rows, (before + step) % DIRECTIONS] for step in (0, 1))
    share = steps - before
    return np.asarray(np.linalg.norm(points, axis=-1) - (1 - share) * near - share * far, np.float32)


def face_distances(hands: HandFeatures) -> Array:
    """Return the distances of the fingers and the palm from eyes, nose and mouth, shape (n, 4), eye distances."""
    return np.asarray(measure.length(hands.at_head[:, _FINGERS, None] - hands.face[:, None]).min(1), np.float32)


def above_mouth(hands: HandFeatures) -> Array:
    """Return the height of the palm's middle above the mouth, shape (n,), eye distances."""
    return np.asarray(hands.at_head[:, _PALM, 1].mean(1) - hands.face[:, _MOUTH, 1], np.float32)


def _place(hands: HandFeatures) -> Array:
    """Return the place features of each hand in the head's axes, shape (n, 43)."""
    headed = _known(hands.at_head)
    upright = hands.points[..., :2] * np.array([1, -1], np.float32)
    directions = measure.directions(np.where(headed[:, None, None], hands.at_head, upright))
    hands = replace(hands, **{name: np.nan_to_num(getattr(hands, name)) for name in ("at_head", "outline", "face")})
    joints, outline, face = hands.at_head, hands.outline, hands.face
    off_head, off_face = (outline_distance(joints, edge) for edge in (with_hair(outline), outline))
    palm, tips = joints[:, _PALM].mean(1), joints[:, measure.TIPS[1:]].mean(1)
    block = np.concatenate(
        [
            joints[:, _KEY_JOINTS].reshape(len(joints), -1),
            off_head[:, _KEY_JOINTS],
            off_head.min(1, keepdims=True),
            off_head.mean(1, keepdims=True),
            (off_head < 0).mean(1, keepdims=True),
            off_face[:, _FINGERS].min(1, keepdims=True),
            (off_face[:, _FINGERS] < 0).mean(1, keepdims=True),
            palm,
            tips,
            above_mouth(hands)[:, None],
            measure.length(joints[:, 9] - joints[:, 0])[:, None],
            face_distances(hands),
            face.reshape(len(joints), -1),
        ],
        1,
    )
    flag = headed[:, None].astype(np.float32)
    return np.asarray(np.concatenate([directions, block * flag, flag], 1), np.float32)


FEATURES: Final = 145
"""Number of values per hand that `features` returns."""
