"""Stored cuts of sides as the reader cuts them, and varied as other cameras, lights and face detectors give them."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.vision.headgear.side_net import SIZE, WINDOW
from training.augmentation import PHOTOGRAPHED
from training.geometry import leading, rotation
from training.headgear.gather import STORED_SIZE, STORED_WINDOW

Cut: TypeAlias = npt.NDArray[np.uint8]
"""A cut of a side, shape (side, side, 3), blue-green-red."""


def middle_of(images: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return stored cuts, shape (n, STORED_SIZE, STORED_SIZE, 3), as the reader would have cut them."""
    window = _window(1.0, 0.0, np.zeros(2))
    return np.stack([_seen_through(window, image) for image in images])


def _window(size: float, turn: float, shift: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Map a stored cut's pixels to the net's, shape (2, 3): larger by a factor, turned by radians, shifted by eyes."""
    axes = size * SIZE / WINDOW * STORED_WINDOW / STORED_SIZE * rotation(turn)
    return leading(axes, np.full(2, (STORED_SIZE - 1) / 2), (SIZE - 1) / 2 + shift * SIZE / WINDOW)


def _seen_through(window: npt.NDArray[np.float64], image: npt.NDArray[np.uint8]) -> Cut:
    return np.asarray(cv2.warpAffine(image, window, (SIZE, SIZE), borderValue=(128, 128, 128)), np.uint8)


def varied(
    image: npt.NDArray[np.uint8],
    joints: npt.NDArray[np.float16],
    other: npt.NDArray[np.uint8],
    draw: np.random.Generator,
) -> tuple[Cut, npt.NDArray[np.float64]]:
    """Vary a stored cut as another camera, another light, another detector of the face might have given it.

    Args:
        image: shape (STORED_SIZE, STORED_SIZE, 3).
        joints: joints of its hand, shape (21, 2), pixels.
        other: another image, of which patches and a haze are added. Half of them are photographs, so that a
            photograph's looks alone never tell that a side is empty.
        draw: random generator.

    Returns:
        The cut as the net takes it, and the joints in it.
    """
    window = _window(float(np.exp(draw.normal(0, 0.08))), draw.normal(0, 0.1), draw.normal(0, 0.18, 2))
    cut = _seen_through(window, image)
    if draw.random() < 0.3:
        _patch(cut, other, draw)
    if draw.random() < 0.3:
        share = draw.uniform(0.08, 0.28)
        cut = np.asarray(cv2.addWeighted(cut, 1 - share, other[:SIZE, :SIZE], share, 0), np.uint8)
    return PHOTOGRAPHED(cut, draw), joints.astype(np.float64) @ window[:, :2].T + window[:, 2]


def _patch(cut: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8], draw: np.random.Generator) -> None:
    """Augment by a foreign strip at the outer edge, as a neighbour is, or by a small square."""
    if draw.random() < 0.5:
        width = round(SIZE * draw.uniform(0.05, 0.21))
        cut[:, -width:] = other[:SIZE, -width:]
        return
    side = round(SIZE * draw.uniform(0.07, 0.23))
    (x, y), (u, v) = draw.integers(0, SIZE - side, (2, 2))
    cut[y : y + side, x : x + side] = other[v : v + side, u : u + side]
