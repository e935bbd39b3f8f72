"""Mouth crop, upright, placed by eyes and nose: a tongue cannot move those.

Training cuts with the same functions (training/tongue, models/tongue.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.vision.geometry import CropSpec

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.detections import FaceLandmarks


SIDE = 1.7
"""Side of the square that the net sees, in eye distances."""

SIZE = 80
"""Side of the net's input, in pixels."""

MOUTH = CropSpec(SIDE, SIZE, continued=True)

# Points of MediaPipe's face mesh.
_RIGHT_EYE_CORNERS = (33, 133)
_LEFT_EYE_CORNERS = (263, 362)
_NOSE_BRIDGE = 168
_NOSE_BASE = 2

_MOUTH_BELOW_NOSE = 0.62
"""Distance from the base of the nose to the middle of the cut, in eye distances: a long tongue fits in below."""


@dataclass(frozen=True, slots=True)
class MouthPlace:
    """Place of a mouth in an image.

    Attributes:
        x: middle of the cut, pixels from the left.
        y: middle of the cut, pixels from the top.
        down: which way the face points downwards, degrees clockwise from the image's own down.
        eye_distance: pixels between the eyes, as if the face looked straight into the camera.
    """

    x: float
    y: float
    down: float
    eye_distance: float

    @classmethod
    def of(cls, face: FaceLandmarks) -> MouthPlace:
        """Find the mouth from eyes and nose, in 3D so that a turned head keeps its scale.

        Raises:
            ValueError: the two eyes lie on one point, or a point is not finite.
        """
        points = face.points.astype(np.float64)
        right_eye, left_eye = points[[*_RIGHT_EYE_CORNERS]].mean(0), points[[*_LEFT_EYE_CORNERS]].mean(0)
        eye_distance = float(np.linalg.norm(left_eye - right_eye))
        if not (np.isfinite(points).all() and eye_distance > 0):
            message = f"a face needs finite points and eyes apart; the eyes are at {right_eye} and {left_eye}"
            raise ValueError(message)
        across = (left_eye - right_eye) / eye_distance
        nose = points[_NOSE_BASE] - points[_NOSE_BRIDGE]
        down = nose - across * (nose @ across)
        down /= np.linalg.norm(down)
        middle = points[_NOSE_BASE] + _MOUTH_BELOW_NOSE * eye_distance * down
        angle = float(np.degrees(np.arctan2(-down[0], down[1])))
        return cls(float(middle[0]), float(middle[1]), angle, eye_distance)

    def cut(self, image: Image, spec: CropSpec = MOUTH) -> Image:
        """Cut the mouth out, turned upright.

        Returns:
            Shape (size, size, 3); beyond the image's border its outermost pixels go on.
        """
        turn, length = math.radians(self.down), spec.upward * self.eye_distance
        centre = self.x + length * math.sin(turn), self.y - length * math.cos(turn)
        return spec.cut(image, centre, self.eye_distance, self.down).image


CROPS = tuple(
    replace(MOUTH, upward=upward, mirrored=mirrored) for upward in (0.0, 0.1, -0.1) for mirrored in (False, True)
)
"""Crops of a mouth; at most mouths the first alone.

Where it is uncertain the mean of all is right more often than any."""
