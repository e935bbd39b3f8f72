"""Head coordinates: axes, temples and the position of hands relative to a head.

The axes are derived from the face alone, so a tilted head reads like an upright one. Lengths are in eye distances: the
distance between the middles of the eyes in space, which does not shrink when the head turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.vision.detections import FaceLandmarks, HandLandmarks
    from bunnymoose_cv.vision.geometry import CropSpec, Points


# Points of MediaPipe's face mesh; right and left are the player's own.
RIGHT_EYE, LEFT_EYE = [33, 133], [362, 263]
FOREHEAD, CHIN = 10, 152
NOSE, LIPS = 1, [13, 14]
FACE_OUTLINE = [
    *(10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377),
    *(152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109),
]
RIGHT_TEMPLE, LEFT_TEMPLE = [139, 162, 127], [368, 389, 356]

SKULL_DEPTH = 1.2
"""Approximate distance of the skull's middle behind the eyes, in eye distances."""

TOUCHING_JOINTS = [0, 1, 5, 9, 13, 17, 4]
"""Joints with which a hand touches the head: wrist, roots of the fingers, tip of the thumb."""


@dataclass(frozen=True, eq=False)
class Head:
    """Face with its axes, in pixels of the image.

    Attributes:
        sure: True if it is surely a face. Otherwise neither a side without a hand nor the tongue is sure.
        mean_mesh: True if the points are the mean mesh, not the face's own. The tongue is then never sure.
        score: confidence of the face detector, 0 to 1, lower for faces that are turned or upside down.
    """

    face: FaceLandmarks
    sure: bool = True
    mean_mesh: bool = False
    score: float = 1.0

    @property
    def shows_mouth(self) -> bool:
        """Return whether it is surely a face whose mouth is where its points are."""
        return self.sure and not self.mean_mesh

    @cached_property
    def _frame(self) -> npt.NDArray[np.float64]:
        """Unit vectors in space as rows, times the eye distance: to the player's left, up, and forward."""
        points = self.face.points.astype(np.float64)
        left = points[LEFT_EYE].mean(0) - points[RIGHT_EYE].mean(0)
        distance = np.linalg.norm(left)
        up = points[FOREHEAD] - points[CHIN]
        up -= left * (up @ left) / distance**2
        up *= distance / np.linalg.norm(up)
        return np.stack([left, up, np.cross(left, up) / distance])

    @cached_property
    def eye_distance(self) -> float:
        """Distance between the middles of the eyes, in space, pixels."""
        return float(np.linalg.norm(self._frame[0]))

    @cached_property
    def centre(self) -> tuple[float, float]:
        """Middle between the eyes, pixels."""
        middle = self.face.points[RIGHT_EYE + LEFT_EYE, :2].mean(0)
        return float(middle[0]), float(middle[1])

    @cached_property
    def box(self) -> Box:
        """Box of the face, pixels."""
        return Box.around(self.face.points)

    def overlaps(self, box: Box) -> bool:
        """Return whether a box shows the same face (threshold of the non-maximum suppression)."""
        return self.box.intersection_over_smaller(box) > FACES.same_overlap

    @cached_property
    def _axes(self) -> npt.NDArray[np.float64]:
        """Unit vectors in the image as rows: to the player's left and up the head. They follow its tilt alone."""
        up = self._frame[1, :2] / np.linalg.norm(self._frame[1, :2])
        return np.array([[-up[1], up[0]], up])

    @property
    def forward_and_up(self) -> npt.NDArray[np.float64]:
        """Image projections of the head's unit vectors forward and up, shape (2, 2)."""
        return self._frame[[2, 1], :2] / self.eye_distance

    @property
    def turn_degrees(self) -> float:
        """Yaw of the face, degrees: positive to the player's left."""
        forward = self._frame[2]
        return float(np.degrees(np.arctan2(forward[:2] @ self._axes[0], -forward[2])))

    @property
    def nod_degrees(self) -> float:
        """Pitch of the face, degrees: positive up."""
        forward = self._frame[2]
        return float(np.degrees(np.arctan2(forward[:2] @ self._axes[1], -forward[2])))

    @property
    def tilt_degrees(self) -> float:
        """Tilt of the head in the image, degrees; positive to the image's right."""
        up = self._axes[1]
        return float(np.degrees(np.arctan2(up[0], -up[1])))

    def at(self, leftward: float, upward: float) -> tuple[float, float]:
        """Return the place in the image, leftward and upward of the eyes' middle by offsets in eye distances."""
        place = np.asarray(self.centre) + self.eye_distance * (np.array([leftward, upward]) @ self._axes)
        return float(place[0]), float(place[1])

    def place(self, spec: CropSpec, side: Side) -> tuple[float, float]:
        """Return the centre of a crop on a side of the head, pixels."""
        return self.at(spec.outward if side is Side.LEFT else -spec.outward, spec.upward)

    def measure(self, points: Points) -> Points:
        """Convert points of the image, shape (n, 2 or 3), to the head's axes: leftward and upward of the eyes' middle.

        Returns:
            the points in eye distances, shape (n, 2).
        """
        offsets = points[:, :2] - np.asarray(self.centre, np.float32)
        return np.asarray(offsets @ self._axes.T / self.eye_distance, np.float32)

    def mesh(self) -> npt.NDArray[np.float64]:
        """Return the face's points in the head's axes: leftward, upward, forward of the eyes' middle, eye distances."""
        points = self.face.points.astype(np.float64)
        turned = (points - points[RIGHT_EYE + LEFT_EYE].mean(0)) @ self._frame.T
        return np.asarray(turned / self.eye_distance**2, np.float64)

    @cached_property
    def _skull(self) -> npt.NDArray[np.float32]:
        """Middle of the skull in the head's axes. It is behind the eyes, so it shifts when the head turns."""
        backward = -self._frame[2, :2] * SKULL_DEPTH
        return np.asarray(backward @ self._axes.T / self.eye_distance, np.float32)

    def temple(self, side: Side) -> Points:
        """Return the temple in the head's axes, shape (2,), eye distances."""
        points = self.face.points[LEFT_TEMPLE if side is Side.LEFT else RIGHT_TEMPLE]
        return np.asarray(self.measure(points).mean(0), np.float32)

    def leftwards(self, hand: HandLandmarks) -> float:
        """Return how far the hand's middle is to the player's left of the skull's middle, eye distances."""
        return float(self.measure(hand.points)[:, 0].mean() - self._skull[0])

    def side_of(self, hand: HandLandmarks) -> Side:
        """Return the side of the head that a hand is on."""
        return Side.LEFT if self.leftwards(hand) > 0 else Side.RIGHT

    def distance_to(self, hand: HandLandmarks) -> float:
        """Return the distance from the skull's middle to the nearest touching joint of a hand, eye distances."""
        return float(np.linalg.norm(self.measure(hand.points[TOUCHING_JOINTS]) - self._skull, axis=1).min())
