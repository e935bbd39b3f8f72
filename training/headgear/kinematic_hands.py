"""Hands made by a model of their joints: shapes of which no source has enough, with exact truth.

A palm with the proportions of many people, four fingers that bend and part, a thumb that stands out, lies along or is
tucked in; seen from many sides, in MediaPipe's order of joints and with its depth. Limits of the joints: American
Academy of Orthopaedic Surgeons, "Joint Motion" (flexion at the root to 90°, in the middle to 110°, at the end to 80°);
proportions of bones: Buryanov and Kotiuk, "Proportions of Hand Segments" (2010).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from training.headgear.examples import ANTLER, COLUMNS, EAR, NEITHER, UNKNOWN, Hands, Truth, alone
from training.rotations import rotated

Array = npt.NDArray[np.float64]

ROOTS = np.array([[0.30, 0.96, 0.0], [0.05, 1.0, 0.02], [-0.18, 0.94, 0.0], [-0.37, 0.82, -0.05]])
"""Roots of index, middle, ring, little finger, in palms from the wrist: towards the thumb, along, out of the palm."""

BONES = np.array([[0.46, 0.27, 0.20], [0.51, 0.31, 0.21], [0.47, 0.30, 0.21], [0.37, 0.21, 0.19]])
THUMB_ROOT = np.array([0.27, 0.22, 0.06])
THUMB_BONES = np.array([0.46, 0.36, 0.28])

STRAIGHT, CURLED, HALF_BENT, FOLDED = range(4)
BENDS = {  # lowest and highest flexion of root, middle and end, degrees
    STRAIGHT: ((-5, 25), (0, 15), (0, 10)),
    CURLED: ((-5, 40), (55, 105), (20, 70)),
    HALF_BENT: ((0, 30), (25, 45), (10, 25)),
    FOLDED: ((55, 90), (85, 110), (40, 75)),
}

OUT, ALONG, TUCKED, HALF_OUT = range(4)
THUMBS = {  # from the fingers' way towards the thumb's side, out of the palm, then the bends of both joints; degrees
    OUT: ((42, 75), (0, 35), (-8, 18), (-12, 15)),
    ALONG: ((14, 26), (5, 25), (0, 20), (0, 15)),
    TUCKED: ((18, 36), (25, 50), (35, 65), (25, 70)),
    HALF_OUT: ((28, 40), (5, 35), (8, 30), (5, 25)),
}

TOUCHING, PARTED, HALF_SPREAD = (0, 3.5), (9, 20), (5, 8)
"""Degrees between neighbouring fingers (measured in ../shared/spikes)."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape that a hand may have.

    Attributes:
        truth: see `Truth.values`.
        out: what each of the four fingers does.
        thumb: what the thumb does.
        parting: lowest and highest angle between neighbours, degrees.
        between: columns of the truth in which it lies between two.
        share: how often it comes.
    """

    truth: tuple[int, int, int, int, int]
    out: tuple[int, int, int, int]
    thumb: int
    parting: tuple[float, float] = (0, 14)
    between: tuple[str, ...] = ()
    share: float = 1.0


def _ear(form: int, straight: int, *, four: bool = False, share: float = 1.0, between: tuple[str, ...] = ()) -> Shape:
    fingers = (form,) * 4 if four else (form, form, FOLDED, FOLDED)
    return Shape((EAR, UNKNOWN, UNKNOWN, straight, UNKNOWN), fingers, TUCKED, (0, 22), between, share)


def _antler(
    wide: int, parting: tuple[float, float], thumb: int = OUT, *, share: float = 0.7, between: tuple[str, ...] = ()
) -> Shape:
    truth = (ANTLER, wide, UNKNOWN, UNKNOWN, UNKNOWN)
    return Shape(truth, (STRAIGHT,) * 4, thumb, parting, between, share)


def _neither(out: str, thumb: int, form: int = STRAIGHT) -> Shape:
    """Shape that is no headgear: the fingers that are out, by their first letters."""
    fingers = tuple(form if letter in out else FOLDED for letter in "imrl")
    return Shape((NEITHER, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN), (*fingers,), thumb)  # type: ignore[arg-type]


SHAPES = (
    _antler(1, PARTED, share=6.0),
    _antler(0, TOUCHING, share=3.0),
    _antler(1, (7.5, 9), between=("spread",)),
    _antler(0, HALF_SPREAD, between=("spread",)),
    _antler(1, PARTED, HALF_OUT, between=("kind",)),
    _ear(STRAIGHT, 1, share=3.0),
    _ear(CURLED, 0, share=3.0),
    _ear(STRAIGHT, 1, four=True),
    _ear(CURLED, 0, four=True),
    _ear(HALF_BENT, 0, between=("form",)),
    *(_neither(out, thumb) for out in ("", "i", "imr", "il", "l", "m") for thumb in (TUCKED, OUT)),
    *(_neither(out, TUCKED) for out in ("iml", "irl", "mrl")),
    *(_neither(out, thumb, CURLED) for out in ("i", "imr") for thumb in (TUCKED, OUT)),
    _neither("im", OUT),
    _neither("im", OUT, CURLED),
    _neither("imrl", OUT, CURLED),
)


def kinematic_hands(count: int, draw: np.random.Generator) -> Hands:
    """Draw simulated left hands, upright in the image but for a loose turn."""
    shares = np.array([shape.share for shape in SHAPES])
    chosen = [SHAPES[index] for index in draw.choice(len(SHAPES), count, p=shares / shares.sum())]
    points = _seen(_joints(chosen, draw), draw)
    truth = Truth(
        np.array([shape.truth for shape in chosen], np.int8),
        np.array([[name in shape.between for name in COLUMNS] for shape in chosen], bool),
        np.full(count, "kinematic"),
        np.full(count, ""),
    )
    return Hands(alone(points), truth)


def _joints(shapes: list[Shape], draw: np.random.Generator) -> Array:
    """Joints in the palm's axes, shape (n, 21, 3), palms."""
    count = len(shapes)
    joints = np.zeros((count, 21, 3))
    slim = np.exp(draw.normal(0, 0.07, (count, 1)))
    long = np.exp(draw.normal(0, 0.06, (count, 1, 1)))
    parting = _between(draw, np.array([shape.parting for shape in shapes]), 3)
    fan = np.column_stack([parting[:, 0], np.zeros(count), -parting[:, 1], -parting[:, 1] - parting[:, 2]])
    fan += draw.normal(0, 3, (count, 1))
    for finger in range(4):
        limits = np.array([BENDS[shape.out[finger]] for shape in shapes])
        bends = np.cumsum(np.column_stack([_between(draw, limits[:, joint], 1) for joint in range(3)]), 1)
        root = ROOTS[finger] * np.column_stack([slim, np.ones_like(slim), np.ones_like(slim)])
        way = _along(fan[:, finger], bends)
        bones = BONES[finger][None, :, None] * long * np.exp(draw.normal(0, 0.04, (count, 3, 1)))
        joints[:, 5 + 4 * finger] = root
        joints[:, 6 + 4 * finger : 9 + 4 * finger] = root[:, None] + np.cumsum(way * bones, 1)
    joints[:, 1:5] = _thumb(shapes, draw)
    return joints


def _between(draw: np.random.Generator, limits: Array, columns: int) -> Array:
    """Numbers between limits of shape (n, 2), shape (n, columns): one person's hand does much the same everywhere."""
    own, shared = draw.random((len(limits), columns)), draw.random((len(limits), 1))
    return np.asarray(limits[:, :1] + (limits[:, 1:] - limits[:, :1]) * (0.5 * own + 0.5 * shared))


def _along(fan: Array, bends: Array) -> Array:
    """Ways of a finger's three bones, shape (n, 3, 3): turned in the palm by `fan`, bent out of it by `bends`."""
    fan, bends = np.radians(fan)[:, None], np.radians(bends)
    return np.stack([np.sin(fan) * np.cos(bends), np.cos(fan) * np.cos(bends), np.sin(bends)], -1)


def _thumb(shapes: list[Shape], draw: np.random.Generator) -> Array:
    """The thumb's four joints, shape (n, 4, 3)."""
    limits = np.array([THUMBS[shape.thumb] for shape in shapes])
    aside, rise, *bends = (_between(draw, limits[:, index], 1) for index in range(4))
    turn = np.radians(aside - np.cumsum(np.column_stack([np.zeros_like(aside), *bends]), 1))
    rise = np.radians(rise * np.array([1.0, 0.7, 0.5]))
    way = np.stack([np.sin(turn) * np.cos(rise), np.cos(turn) * np.cos(rise), np.sin(rise)], -1)
    bones = THUMB_BONES[None, :, None] * np.exp(draw.normal(0, 0.06, (len(shapes), 3, 1)))
    root = np.tile(THUMB_ROOT, (len(shapes), 1, 1))
    return np.concatenate([root, root + np.cumsum(way * bones, 1)], 1)


def _seen(joints: Array, draw: np.random.Generator) -> npt.NDArray[np.float32]:
    """Joints as MediaPipe gives them: rightward, downward, away; palm or back to the camera, seldom edge on."""
    count = len(joints)
    yaw = draw.normal(0, 28, count) + 180 * (draw.random(count) < 0.5)
    pitch, roll = draw.normal(0, 22, count), draw.normal(0, 12, count)
    seen = joints * np.array([1.0, -1.0, -1.0])
    for plane, degrees in (((0, 2), yaw), ((1, 2), pitch), ((0, 1), roll)):
        seen = rotated(seen, plane, np.radians(degrees))
    near = 1 - 0.06 * seen[..., 2:]
    seen[..., :2] *= near
    seen[..., 2] *= draw.uniform(0.5, 1.1, (count, 1))
    return np.asarray(seen - seen[:, :1], np.float32)
