"""Tongue classification: an upright mouth crop, the cascade that reads one crop or more, and the reading of one mouth.

The crop is placed by eyes and nose, since a tongue cannot move those. Training uses the same functions
(training/tongue, models/tongue.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.capture.frame import check_image
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.rules.pose import Tongue
from bunnymoose_cv.vision.geometry import CropSpec
from bunnymoose_cv.vision.logits import logit, sigmoid
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet, blob
from bunnymoose_cv.vision.settings import TONGUE

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import TongueSettings
    from bunnymoose_cv.vision.detections import FaceLandmarks
    from bunnymoose_cv.vision.faces.head import Head


@dataclass(frozen=True, slots=True)
class TongueReading:
    """Reading of one mouth in one frame.

    Attributes:
        tongue: the likelier state.
        confidence: probability that `tongue` is right, 0.5 to 1, calibrated (models/tongue.md).
        unclear: True if the probability is between the thresholds, or the mouth's place is not sure.
        probability_out: probability that the tongue is out, 0 to 1.
    """

    tongue: Tongue
    confidence: float
    unclear: bool
    probability_out: float

    @classmethod
    def of(cls, probability_out: float, settings: TongueSettings) -> TongueReading:
        """Return the reading for a probability, by the thresholds of the settings."""
        out = probability_out >= 0.5  # the likelier of two
        return cls(
            tongue=Tongue.OUT if out else Tongue.IN,
            confidence=probability_out if out else 1 - probability_out,
            unclear=settings.clear_in < probability_out < settings.clear_out,
            probability_out=probability_out,
        )

    def at_head(self, head: Head) -> TongueReading:
        """Return the reading for this head: unclear if it is not surely a face, or if its mouth was not found."""
        return self if head.shows_mouth else replace(self, unclear=True)


SIDE = 1.7
"""Side of the square that the network sees, in eye distances."""

SIZE = 80
"""Side of the network's input, in pixels."""

MOUTH = CropSpec(SIDE, SIZE, continued=True)

# Points of MediaPipe's face mesh.
_RIGHT_EYE_CORNERS = [33, 133]
_LEFT_EYE_CORNERS = [263, 362]
_NOSE_BRIDGE = 168
_NOSE_BASE = 2

_MOUTH_BELOW_NOSE = 0.62
"""Distance from the base of the nose to the middle of the crop, in eye distances. It leaves room for a long tongue."""


@dataclass(frozen=True, slots=True)
class MouthPlace:
    """Place of a mouth in an image.

    Attributes:
        x: middle of the crop, pixels, as is `y`.
        down: direction from the face's brow to its chin, degrees clockwise from the image's down.
        eye_distance: pixels, as if the face looked straight into the camera.
    """

    x: float
    y: float
    down: float
    eye_distance: float

    @classmethod
    def of(cls, face: FaceLandmarks) -> MouthPlace:
        """Locate the mouth from eyes and nose. This is done in 3D, so that a turned head keeps its scale.

        Raises:
            ValueError: the two eyes are at the same point, or a point is not finite.
        """
        points = face.points.astype(np.float64)
        right_eye, left_eye = points[_RIGHT_EYE_CORNERS].mean(0), points[_LEFT_EYE_CORNERS].mean(0)
        eye_distance = float(np.linalg.norm(left_eye - right_eye))
        if not (np.isfinite(points).all() and eye_distance > 0):
            raise ValueError(f"a face needs finite points and eyes apart; the eyes are at {right_eye} and {left_eye}")
        across = (left_eye - right_eye) / eye_distance
        nose = points[_NOSE_BASE] - points[_NOSE_BRIDGE]
        down = nose - across * (nose @ across)
        down /= np.linalg.norm(down)
        middle = points[_NOSE_BASE] + _MOUTH_BELOW_NOSE * eye_distance * down
        angle = float(np.degrees(np.arctan2(-down[0], down[1])))
        return cls(float(middle[0]), float(middle[1]), angle, eye_distance)

    def cut(self, image: Image, spec: CropSpec = MOUTH) -> Image:
        """Cut the mouth out of an image, turned upright. Beyond its border the outermost pixels are repeated."""
        turn, length = math.radians(self.down), spec.upward * self.eye_distance
        centre = self.x + length * math.sin(turn), self.y - length * math.cos(turn)
        return spec.cut(image, centre, self.eye_distance, self.down).image


CROPS = tuple(
    replace(MOUTH, upward=upward, mirrored=mirrored) for upward in (0.0, 0.1, -0.1) for mirrored in (False, True)
)
"""Crops of a mouth. For most mouths only the first is read.

If it is uncertain, the mean of all is right more often than any single crop."""


SHIPPED_NET: Final = bundled("models/tongue.onnx")


class TongueReader:
    """Our tongue network, loaded. It belongs to one thread; each worker has its own."""

    def __init__(self, settings: TongueSettings, model: Path | bytes = SHIPPED_NET) -> None:
        """Load a network. Others than the shipped one measure how good the method is (models/left_out)."""
        self._settings = settings
        self._net = OnnxNet(model)

    def read(self, image: Image, head: Head, *, second_stage: bool = True) -> TongueReading:
        """Read the tongue of one head. It is unclear if the head is not surely a face, or its mouth was not found.

        Raises:
            TypeError: the image is not an array of `uint8`.
            ValueError: the image has another shape, or the head does not have two eyes.
        """
        return self.read_at(image, MouthPlace.of(head.face), second_stage=second_stage).at_head(head)

    def read_at(self, image: Image, place: MouthPlace, *, second_stage: bool = True) -> TongueReading:
        """Read the tongue of the mouth at a given place, without a detected face.

        An uncertain mouth goes through the second stage. The image, blue-green-red, may also be mirrored.
        """
        check_image(image)
        logits = [self._logit(place.cut(image, CROPS[0]))]
        lowest, highest = logit(TONGUE.doubtful, _TINY).tolist()
        if second_stage and lowest < logits[0] < highest:
            logits += [self._logit(place.cut(image, look)) for look in CROPS[1:]]
        return TongueReading.of(float(sigmoid(np.mean(logits))), self._settings)

    def _logit(self, mouth: Image) -> float:
        """Return the network's logit that the tongue is out."""
        return float(logit(self._net.run(blob([mouth])).item(), _TINY))


_TINY = 1e-9
