"""Detections and landmarks: shapes and units of what the networks find.

All points are pixels of the unmirrored image, origin top left; depth is in pixels, smaller is nearer the camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.geometry import Points


FACE_POINTS = 478
HAND_POINTS = 21


def _checked(points: Points, rows: int, what: str) -> None:
    if points.shape != (rows, 3):
        message = f"{what} must have shape ({rows}, 3), not {points.shape}"
        raise ValueError(message)


@dataclass(frozen=True, slots=True, eq=False)
class FaceLandmarks:
    """One face: 478 points of MediaPipe's face mesh with attention, shape (478, 3), pixels."""

    points: Points

    def __post_init__(self) -> None:
        _checked(self.points, FACE_POINTS, "a face's points")


@dataclass(frozen=True, slots=True, eq=False)
class HandLandmarks:
    """One hand.

    Attributes:
        points: the 21 joints, shape (21, 3), pixels; depth counted from the wrist.
        world: the same joints in metres around the hand's own centre, shape (21, 3), the camera's axes.
        anatomical: whether it is a left or a right hand, as MediaPipe thinks.
        confidence: how sure MediaPipe is of `anatomical`, 0 to 1.
    """

    points: Points
    world: Points
    anatomical: Side
    confidence: float

    def __post_init__(self) -> None:
        _checked(self.points, HAND_POINTS, "a hand's points")
        _checked(self.world, HAND_POINTS, "a hand's world points")


@dataclass(frozen=True, slots=True, eq=False)
class FacePose:
    """A face in an image.

    Attributes:
        eyes: shape (2, 2), the middles of the player's left and right eye, pixels.
        axes: shape (2, 2), what lies in the image of the head's unit vectors forward and up.
        confidence: that it is a face, 0 to 1.
    """

    eyes: npt.NDArray[np.float64]
    axes: npt.NDArray[np.float64]
    confidence: float
