"""Layout of labels on an image: near their points, inside the image, without overlap.

Pure geometry in pixels, origin top left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

Rectangles: TypeAlias = npt.NDArray[np.float64]
"""One a row: left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label that wants to stand around a point."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A rectangle better left free; `weight` is how much worse it is to cover one pixel of it than to stand one off."""

    left: float
    top: float
    right: float
    bottom: float
    weight: float


def place(
    labels: Sequence[Label], obstacles: Sequence[Obstacle], size: tuple[int, int], gap: float
) -> tuple[tuple[int, int], ...] | None:
    """Find a place for each label, the first ones choosing first.

    Returns:
        The left upper corner of each label; None where they do not all fit.
    """
    placed = np.empty((0, 4))
    corners = []
    for label in labels:
        places = _places(label, size)
        places = places[(_shared(places, placed, gap) == 0).all(1)]
        if len(places) == 0:
            return None
        best = places[np.argmin(_cost(places, label, obstacles))]
        placed = np.vstack([placed, best])
        corners.append((int(best[0]), int(best[1])))
    return tuple(corners)


STEP = 0.75
"""Step between the places that are tried, in heights of the label."""


def _places(label: Label, size: tuple[int, int]) -> Rectangles:
    """All places that are tried for a label: a grid over the whole image that has one right around its point."""
    lefts = _steps(label.x - label.width / 2, label.width, size[0], STEP * label.height)
    tops = _steps(label.y - label.height / 2, label.height, size[1], STEP * label.height)
    left, top = (grid.ravel() for grid in np.meshgrid(lefts, tops))
    return np.stack([left, top, left + np.ceil(label.width), top + np.ceil(label.height)], 1)


def _steps(wanted: float, length: float, whole: int, step: float) -> npt.NDArray[np.float64]:
    """Whole pixels at which a stretch may begin; none where it is longer than the whole."""
    last = whole - np.ceil(length)
    if last < 0:
        return np.empty(0)
    step = max(1.0, step)
    grid = np.arange(wanted % step, last + 1, step)
    return np.asarray(np.unique(np.floor(np.append(grid, np.clip(wanted, 0, last)))), np.float64)


def _shared(places: Rectangles, others: Rectangles, gap: float) -> npt.NDArray[np.float64]:
    """The area that each place shares with each of the others, grown by a gap. Shape (places, others)."""
    low = np.maximum(places[:, None, :2], others[None, :, :2] - gap)
    high = np.minimum(places[:, None, 2:], others[None, :, 2:] + gap)
    return np.asarray(np.prod(np.maximum(high - low, 0), axis=2), np.float64)


def _cost(places: Rectangles, label: Label, obstacles: Sequence[Obstacle]) -> npt.NDArray[np.float64]:
    """Cost of each place: its distance from the point, and the obstacles under it."""
    middles = (places[:, :2] + places[:, 2:]) / 2
    distance = np.linalg.norm(middles - (label.x, label.y), axis=1)
    rectangles = np.array([(each.left, each.top, each.right, each.bottom) for each in obstacles]).reshape(-1, 4)
    weights = np.array([each.weight for each in obstacles])
    covered = _shared(places, rectangles, gap=0.0) @ weights / label.height
    return np.asarray(distance + covered, np.float64)
