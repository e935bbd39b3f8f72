"""Hand geometry: straightness, parting and directions of fingers and thumb.

Pure geometry on many hands at once. Joints are numbered as MediaPipe numbers
them: 0 the wrist, then four for each of thumb, index, middle, ring and little finger from root to tip.
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
    """Lengths of vectors in the last axis, never quite 0."""
    return np.asarray(np.maximum(np.linalg.norm(vectors, axis=-1), 1e-6), np.float32)


def palm_length(hands: Hands) -> Measures:
    """The mean distance from the wrist to the roots of the four fingers, or the palm's breadth if that is larger.

    Returns:
        Shape (n,), in the unit of the points; in the image, so a palm pointing at the camera is short.
    """
    flat = hands[..., :2]
    along = length(flat[:, ROOTS[1:]] - flat[:, :1]).mean(1)
    return np.asarray(np.maximum(along, length(flat[:, 5] - flat[:, 17])), np.float32)


def straightness(hands: Hands) -> Measures:
    """For each finger the way from root to tip as a share of the way along its joints: 1 straight, 0.3 folded.

    Returns:
        Shape (n, 5), thumb first.
    """
    joints = hands[:, FINGERS]
    along = length(np.diff(joints, axis=2)).sum(2)
    return np.asarray(length(joints[:, :, 3] - joints[:, :, 0]) / along, np.float32)


def reach(hands: Hands) -> Measures:
    """Ratio of each tip's distance from the wrist to its root's: about 2 stretched, 1 folded.

    Returns:
        Shape (n, 5), thumb first.
    """
    wrist = hands[:, :1]
    return np.asarray(length(hands[:, TIPS] - wrist) / length(hands[:, ROOTS] - wrist), np.float32)


def bend_degrees(hands: Hands) -> Measures:
    """Bend of the middle joints of each of the four fingers together, degrees: 0 straight.

    Returns:
        Shape (n, 4), index finger first.
    """
    joints = hands[:, FINGERS[1:]]
    bones = np.diff(joints, axis=2)
    bones = bones / length(bones)[..., None]
    turns = np.arccos(np.clip((bones[:, :, 1:] * bones[:, :, :-1]).sum(-1), -1, 1))
    return np.asarray(np.degrees(turns.sum(2)), np.float32)


def parting_degrees(hands: Hands) -> Measures:
    """The angles between neighbouring fingers (from their roots to their tips) in the image, degrees.

    Measured in the image because MediaPipe's depth parts fingers that touch by 12° (spikes).

    Returns:
        Shape (n, 3): index–middle, middle–ring, ring–little.
    """
    fingers = hands[:, TIPS[1:], :2] - hands[:, ROOTS[1:], :2]
    fingers = fingers / length(fingers)[..., None]
    return np.asarray(np.degrees(np.arccos(np.clip((fingers[:, 1:] * fingers[:, :-1]).sum(-1), -1, 1))), np.float32)


def tips_apart(hands: Hands) -> Measures:
    """Distances of neighbouring fingertips, palms: shape (n, 3)."""
    return np.asarray(length(np.diff(hands[:, TIPS[1:]], axis=1)) / palm_length(hands)[:, None], np.float32)


def thumb_apart(hands: Hands) -> Measures:
    """Distances of the thumb's tip from the index finger's root and middle joint, the middle's and the little's root.

    Returns:
        Shape (n, 4), palms.
    """
    others = hands[:, [5, 6, 9, 17]]
    return np.asarray(length(others - hands[:, 4:5]) / palm_length(hands)[:, None], np.float32)


def upright(hands: Hands) -> Hands:
    """Joints turned in the image so that the hand points up, counted from the wrist in palms; depth kept."""
    offsets = hands - hands[:, :1]
    along = offsets[:, 9, :2] / length(offsets[:, 9, :2])[:, None]
    turned = offsets.copy()
    turned[..., 0] = offsets[..., 0] * -along[:, None, 1] + offsets[..., 1] * along[:, None, 0]
    turned[..., 1] = -(offsets[..., 0] * along[:, None, 0] + offsets[..., 1] * along[:, None, 1])
    return np.asarray(turned / palm_length(hands)[:, None, None], np.float32)


def directions(hands: Hands) -> Measures:
    """Unit vectors in the image of the palm (wrist to roots) and of the fingers (roots to tips). Shape (n, 4)."""
    flat = hands[..., :2]
    roots = flat[:, ROOTS[1:]].mean(1)
    palm, fingers = roots - flat[:, 0], flat[:, TIPS[1:]].mean(1) - roots
    return np.concatenate([palm / length(palm)[:, None], fingers / length(fingers)[:, None]], 1)
