"""Mouth crop to tongue: cuts the mouth out of a picture upright and asks our net. Owns no face search and no limits.

No landmark of MediaPipe shows a tongue, so the pixels decide. The cut hangs on eyes, bridge and base of the nose, which
a tongue cannot move; training cuts with the same functions (models/training/tongue, models/tongue.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.bundled import bundled
from bunnymoose_cv.errors import InputError
from bunnymoose_cv.rules.pose import Tongue
from bunnymoose_cv.vision.face_net import FaceNet
from bunnymoose_cv.vision.our_faces import laid_anew

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.profile import TongueLimits
    from bunnymoose_cv.vision.head import Head
    from bunnymoose_cv.vision.landmarks import FaceLandmarks

SIDE = 1.7
"""Side of the square that the net sees, in eye distances."""

SIZE = 80
"""Side of the net's input, in pixels."""

_SHIPPED = bundled("models/tongue.onnx")

# Points of MediaPipe's face mesh.
_RIGHT_EYE_CORNERS = (33, 133)
_LEFT_EYE_CORNERS = (263, 362)
_NOSE_BRIDGE = 168
_NOSE_BASE = 2

_MOUTH_BELOW_NOSE = 0.62
"""From the base of the nose to the middle of the cut, in eye distances: chin and a long tongue fit in below."""

DOUBTFUL = 0.01, 0.95
"""Between these probabilities the first look leaves a doubt."""


@dataclass(frozen=True, slots=True)
class TongueReading:
    """What one mouth shows in one frame.

    Attributes:
        tongue: the likelier value.
        confidence: probability that `tongue` is right, 0.5 to 1, calibrated (models/tongue.md).
        unclear: whether the probability lies between the limits.
        probability_out: probability that the tongue is out, 0 to 1.
    """

    tongue: Tongue
    confidence: float
    unclear: bool
    probability_out: float

    @classmethod
    def of(cls, probability_out: float, limits: TongueLimits) -> TongueReading:
        """Read a probability against the limits."""
        out = probability_out >= 0.5  # noqa: PLR2004 - the likelier of two
        return cls(
            tongue=Tongue.OUT if out else Tongue.IN,
            confidence=probability_out if out else 1 - probability_out,
            unclear=limits.clear_in < probability_out < limits.clear_out,
            probability_out=probability_out,
        )


@dataclass(frozen=True, slots=True)
class MouthPlace:
    """Where a mouth lies in a picture.

    Attributes:
        x: middle of the cut, pixels from the left.
        y: middle of the cut, pixels from the top.
        down: which way the face points downwards, degrees clockwise from the picture's own down.
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

    def lowered(self, eye_distances: float) -> MouthPlace:
        """The place a little lower in the face; higher where negative."""
        turn, length = math.radians(self.down), eye_distances * self.eye_distance
        return replace(self, x=self.x - length * math.sin(turn), y=self.y + length * math.cos(turn))

    def cut(self, picture: Picture, side: float = SIDE, size: int = SIZE) -> Picture:
        """Cut the mouth out, turned upright.

        Args:
            picture: shape (height, width, 3).
            side: side of the square, in eye distances.
            size: side of the result, in pixels.

        Returns:
            Shape (size, size, 3); beyond the picture's border its outermost pixels go on.
        """
        oversampling = max(1, math.ceil(side * self.eye_distance / size))
        fine = size * oversampling
        scale = fine / (side * self.eye_distance)
        turn = np.radians(self.down)
        matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * scale
        # The middle of a picture of n pixels lies at (n - 1) / 2 of OpenCV's coordinates.
        shift = (fine - 1) / 2 - matrix @ np.array([self.x, self.y])
        cut = cv2.warpAffine(
            picture,
            np.column_stack([matrix, shift]),
            (fine, fine),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(cv2.resize(cut, (size, size), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True)
class MouthLook:
    """How a mouth is looked at.

    Attributes:
        lower: how much lower in the face, in eye distances; higher where negative.
        mirrored: whether its mirror image is.
    """

    lower: float
    mirrored: bool

    def at(self, picture: Picture, place: MouthPlace) -> Picture:
        """What it sees of a mouth, shape (SIZE, SIZE, 3)."""
        mouth = place.lowered(self.lower).cut(picture)
        return np.asarray(cv2.flip(mouth, 1), np.uint8) if self.mirrored else mouth


LOOKS = tuple(MouthLook(lower, mirrored) for lower in (0.0, -0.1, 0.1) for mirrored in (False, True))
"""The first is the only one at most mouths; where it leaves a doubt the mean of all is right more often than any, the
more if they are taken once more where our own net sees the face (models/tongue.md)."""


class TongueReader:
    """Our tongue net, loaded. Belongs to one thread: workers each have theirs."""

    def __init__(self, limits: TongueLimits, model: Path = _SHIPPED) -> None:
        """Load a net.

        Args:
            limits: what is clear.
            model: the net's file; another than the shipped one measures how good the way is (models/left_out).

        Raises:
            InputError: the net's file is not there.
        """
        if not model.is_file():
            raise InputError(f"the tongue reader's model is missing at {model}: install bunnymoose again")
        self._limits = limits
        self._net = cv2.dnn.readNetFromONNX(str(model))
        self._face_net = FaceNet()

    def read(self, picture: Picture, head: Head, *, at_first_sight: bool = False) -> TongueReading:
        """Read the tongue of one head; that of what is not surely a face, or whose mouth was not found, is not sure.

        Where the head's points may lie beside the face, what the first look sees there is never enough.

        Args:
            picture: blue-green-red bytes, shape (height, width, 3), unmirrored or mirrored.
            head: in pixels of that picture.
            at_first_sight: whether it is left to the first look, since it need not be known well.

        Raises:
            ValueError: the picture has another shape or type, or the head has no two eyes.
        """
        place = MouthPlace.of(head.face)
        if at_first_sight:
            reading = self._reading_of(self._first(picture, place))
        else:
            reading = self._read(picture, place, lambda: self._placed_anew(picture, head), doubtful=head.astray)
        return reading if head.sure and not head.usual else replace(reading, unclear=True)

    def read_at(self, picture: Picture, place: MouthPlace) -> TongueReading:
        """Read the tongue of the mouth at a place, where no face need be seen.

        Args:
            picture: blue-green-red bytes, shape (height, width, 3), unmirrored or mirrored.
            place: in pixels of that picture.

        Raises:
            ValueError: the picture has another shape or type.
        """
        return self._read(picture, place, lambda: (), doubtful=False)

    def _read(
        self,
        picture: Picture,
        place: MouthPlace,
        elsewhere: Callable[[], tuple[MouthPlace, ...]],
        *,
        doubtful: bool,
    ) -> TongueReading:
        """By a first look at a place; where that leaves a doubt, by all looks there and at the places asked for."""
        number = self._first(picture, place)
        lowest, highest = map(_log_odds, DOUBTFUL)
        if doubtful or lowest < number < highest:
            again = [look.at(picture, place) for look in LOOKS[1:]]
            again += [look.at(picture, other) for other in elsewhere() for look in LOOKS]
            number = float(np.mean([number, *map(self._asked, again)]))
        return self._reading_of(number)

    def _first(self, picture: Picture, place: MouthPlace) -> float:
        """What the first look at a mouth says, log odds."""
        _check(picture)
        return self._asked(LOOKS[0].at(picture, place))

    def _reading_of(self, number: float) -> TongueReading:
        """The reading of log odds."""
        return TongueReading.of(1 / (1 + math.exp(-number)), self._limits)

    def _placed_anew(self, picture: Picture, head: Head) -> tuple[MouthPlace, ...]:
        """Where the mouth lies if our own net says how the head stands."""
        return (MouthPlace.of(laid_anew(self._face_net, picture, head).face),)

    def _asked(self, mouth: Picture) -> float:
        """The net's log odds that the tongue is out."""
        self._net.setInput(cv2.dnn.blobFromImage(mouth, scalefactor=1 / 255))
        return _log_odds(float(np.asarray(self._net.forward()).item()))


def _log_odds(probability: float) -> float:
    held = min(max(probability, _TINY), 1 - _TINY)
    return math.log(held / (1 - held))


_TINY = 1e-9


def _check(picture: Picture) -> None:
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3 or picture.size == 0:  # noqa: PLR2004
        message = f"a picture must be bytes of shape (height, width, 3), not {picture.dtype} of {picture.shape}"
        raise ValueError(message)
