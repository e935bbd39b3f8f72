"""Hand geometry: straightness, parting and directions of fingers and thumb.

The functions are pure geometry, on many hands at once. Joints are numbered like MediaPipe's: 0 is the wrist, then four
for each of thumb, index, middle, ring and little finger, from root to tip.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Hands: TypeAlias = npt.NDArray[np.float32]
"""Joints of many hands, shape (n, 21, 2 or 3)."""

Measures: TypeAlias = npt.NDArray[np.float32]
"""One row of numbers for each hand."""

ROOTS = np.array([1, 5, 9, 13, 17])
TIPS = np.array([4, 8, 12, 16, 20])
FINGERS = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16], [17, 18, 19, 20]])
THUMB, INDEX, MIDDLE, RING, LITTLE = range(5)


def length(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the lengths of vectors along the last axis, at least 1e-6."""
    return np.asarray(np.maximum(np.linalg.norm(vectors, axis=-1), 1e-6), np.float32)


def palm_length(hands: Hands) -> Measures:
    """Return the mean distance from the wrist to the roots of the four fingers, or the palm's breadth if it is larger.

    The lengths, shape (n,), are those in the image, so a palm pointing at the camera is short.
    """
    flat = hands[..., :2]
    along = length(flat[:, ROOTS[1:]] - flat[:, :1]).mean(1)
    return np.asarray(np.maximum(along, length(flat[:, 5] - flat[:, 17])), np.float32)


def straightness(hands: Hands) -> Measures:
    """Return each finger's distance from root to tip as a share of its path: 1 straight, 0.3 folded, shape (n, 5)."""
    joints = hands[:, FINGERS]
    along = length(np.diff(joints, axis=2)).sum(2)
    return np.asarray(length(joints[:, :, 3] - joints[:, :, 0]) / along, np.float32)


def reach(hands: Hands) -> Measures:
    """Return the ratio of each tip's distance from the wrist to its root's: 2 stretched, 1 folded, shape (n, 5)."""
    wrist = hands[:, :1]
    return np.asarray(length(hands[:, TIPS] - wrist) / length(hands[:, ROOTS] - wrist), np.float32)


def bend_degrees(hands: Hands) -> Measures:
    """Return each finger's total bend at its middle joints, shape (n, 4), index first, degrees; 0 is straight."""
    joints = hands[:, FINGERS[1:]]
    bones = np.diff(joints, axis=2)
    bones = bones / length(bones)[..., None]
    turns = np.arccos(np.clip((bones[:, :, 1:] * bones[:, :, :-1]).sum(-1), -1, 1))
    return np.asarray(np.degrees(turns.sum(2)), np.float32)


def parting_degrees(hands: Hands) -> Measures:
    """Return the angles between the four fingers (from root to tip) in the image, shape (n, 3), degrees.

    They are measured in the image because MediaPipe's depth separates fingers that touch by 12° (spikes).
    """
    fingers = hands[:, TIPS[1:], :2] - hands[:, ROOTS[1:], :2]
    fingers = fingers / length(fingers)[..., None]
    return np.asarray(np.degrees(np.arccos(np.clip((fingers[:, 1:] * fingers[:, :-1]).sum(-1), -1, 1))), np.float32)


def tips_apart(hands: Hands) -> Measures:
    """Return the distances between neighbouring fingertips, in palms, shape (n, 3)."""
    return np.asarray(length(np.diff(hands[:, TIPS[1:]], axis=1)) / palm_length(hands)[:, None], np.float32)


def thumb_apart(hands: Hands) -> Measures:
    """Return the distances of the thumb's tip from four joints, shape (n, 4), in palms.

    They are the index finger's root and middle joint, the middle finger's root and the little finger's root.
    """
    others = hands[:, [5, 6, 9, 17]]
    return np.asarray(length(others - hands[:, 4:5]) / palm_length(hands)[:, None], np.float32)


def upright(hands: Hands) -> Hands:
    """Rotate joints in the image so that the hand points up, relative to the wrist and in palms. Depth is kept."""
    offsets = hands - hands[:, :1]
    along = offsets[:, 9, :2] / length(offsets[:, 9, :2])[:, None]
    turned = offsets.copy()
    turned[..., 0] = offsets[..., 0] * -along[:, None, 1] + offsets[..., 1] * along[:, None, 0]
    turned[..., 1] = -(offsets[..., 0] * along[:, None, 0] + offsets[..., 1] * along[:, None, 1])
    return np.asarray(turned / palm_length(hands)[:, None, None], np.float32)


def directions(hands: Hands) -> Measures:
    """Return unit vectors in the image of the palm (wrist to roots) and the fingers (roots to tips), shape (n, 4)."""
    flat = hands[..., :2]
    roots = flat[:, ROOTS[1:]].mean(1)
    palm, fingers = roots - flat[:, 0], flat[:, TIPS[1:]].mean(1) - roots
    return np.concatenate([palm / length(palm)[:, None], fingers / length(fingers)[:, None]], 1)
