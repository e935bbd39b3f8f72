"""Detections and landmarks that the networks find, with their shapes and units, and the suppression of duplicates.

All points are pixels of the unmirrored image, origin top left. Depth is in pixels, smaller is nearer to the camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    import numpy.typing as npt

    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.geometry import Box, Points


FACE_POINTS = 478
HAND_POINTS = 21


def _check(points: Points, rows: int, what: str) -> None:
    if points.shape != (rows, 3):
        raise ValueError(f"{what} must have shape ({rows}, 3), not {points.shape}")


@dataclass(frozen=True, slots=True, eq=False)
class FaceLandmarks:
    """Landmarks of one face: the 478 points of MediaPipe's face mesh with attention, shape (478, 3), pixels."""

    points: Points

    def __post_init__(self) -> None:
        _check(self.points, FACE_POINTS, "a face's points")


@dataclass(frozen=True, slots=True, eq=False)
class HandLandmarks:
    """Landmarks of one hand.

    Attributes:
        points: the 21 joints, shape (21, 3), pixels; depth is relative to the wrist.
        world: the same joints in metres around the hand's own centre, shape (21, 3), in the camera's axes.
        anatomical: the left or right hand, according to MediaPipe.
        confidence: MediaPipe's confidence in `anatomical`, 0 to 1.
    """

    points: Points
    world: Points
    anatomical: Side
    confidence: float

    def __post_init__(self) -> None:
        _check(self.points, HAND_POINTS, "a hand's points")
        _check(self.world, HAND_POINTS, "a hand's world points")


@dataclass(frozen=True, slots=True, eq=False)
class FacePose:
    """Eyes and axes of one face in an image.

    Attributes:
        eyes: the middles of the player's left and right eye, shape (2, 2), pixels.
        axes: projections into the image of the head's unit vectors forward and up, shape (2, 2).
        confidence: probability that it is a face, 0 to 1.
    """

    eyes: npt.NDArray[np.float64]
    axes: npt.NDArray[np.float64]
    confidence: float


Item = TypeVar("Item")


def suppress(items: Iterable[Item], score: Callable[[Item], float], same: Callable[[Item, Item], bool]) -> list[Item]:
    """Suppress items that show the same thing as an item of higher score (non-maximum suppression, NMS).

    The kept items are sorted by score; of two with equal scores the earlier is kept. `same` is a predicate of two
    items, the one of lower score first.
    """
    return keep_first(sorted(items, key=score, reverse=True), same)


def keep_first(items: Iterable[Item], same: Callable[[Item, Item], bool]) -> list[Item]:
    """Suppress items that show the same thing as an earlier one, like `suppress` for items already in order."""
    kept: list[Item] = []
    for item in items:
        if not any(same(item, other) for other in kept):
            kept.append(item)
    return kept


def same_box(one: Box, other: Box) -> bool:
    """Return whether two boxes show the same thing at a similar size."""
    sizes = sorted(max(box.width, box.height) for box in (one, other))
    return one.intersection_over_smaller(other) > FACES.same_overlap and sizes[1] < FACES.same_size * sizes[0]
