"""MediaPipe behind our own small types: a picture in, faces and hands as points out. Owns no player and no pose.

Nothing else may know MediaPipe's inference (`conversion.py` alone reads its file schema). All pictures are unmirrored,
blue-green-red bytes of shape (height, width, 3); all points are pixels of the picture they were found in, origin top
left, with depth in pixels too (smaller is nearer the camera).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import cv2
import mediapipe
import numpy as np
import numpy.typing as npt
from mediapipe.tasks.python import BaseOptions, vision

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.face_net import FaceNet
from bunnymoose_cv.vision.model_files import MediaPipeModel, model_path

if TYPE_CHECKING:
    from types import TracebackType

    from bunnymoose_cv.capture.frame import Picture

Points: TypeAlias = npt.NDArray[np.float32]
"""Points, one a row: x, y and, where there are three columns, depth."""

FACE_POINTS = 478
HAND_POINTS = 21


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in pixels: left upper corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """The middle, in pixels."""
        return self.x + self.width / 2, self.y + self.height / 2

    @classmethod
    def around(cls, points: Points) -> Box:
        """The smallest box that holds points of shape (n, 2 or more)."""
        low, high = points[:, :2].min(0), points[:, :2].max(0)
        return cls(float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))

    def overlap(self, other: Box) -> float:
        """The shared area as a share of the smaller box's area, 0 to 1."""
        width = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        height = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        smaller = min(self.width * self.height, other.width * other.height)
        return max(0.0, width) * max(0.0, height) / smaller if smaller > 0 else 0.0


@dataclass(frozen=True, slots=True)
class FoundFace:
    """A face that the detector found, not yet looked at closely."""

    box: Box
    confidence: float


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
class Crop:
    """A square cut out of a picture and brought to a fixed size; beyond the picture's border it is filled with grey.

    Attributes:
        picture: the cut, shape (size, size, 3).
        scale: pixels of the crop for one pixel of the whole picture.
        origin: where the crop's left upper corner lies in the whole picture, pixels.
    """

    picture: Picture
    scale: float
    origin: tuple[float, float]

    @classmethod
    def cut(cls, picture: Picture, centre: tuple[float, float], side: float, size: int) -> Crop:
        """Cut the square of `side` pixels around `centre` and bring it to `size` pixels."""
        origin = (centre[0] - side / 2, centre[1] - side / 2)
        scale = size / side
        part, corner = _part(picture, origin, side)
        source, shrink = _shrunk(part, scale)
        shift = [(corner[axis] - origin[axis]) * scale for axis in range(2)]
        matrix = np.array([[scale / shrink, 0, shift[0]], [0, scale / shrink, shift[1]]])
        grey = (128, 128, 128)
        cut = cv2.warpAffine(source, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=grey)
        return cls(np.asarray(cut, np.uint8), scale, origin)

    def to_whole(self, points: Points) -> Points:
        """Points of the crop, shape (n, 3), as points of the whole picture."""
        moved = points / self.scale
        moved[:, :2] += np.asarray(self.origin, np.float32)
        return moved


def _part(picture: Picture, origin: tuple[float, float], side: float) -> tuple[Picture, tuple[int, int]]:
    """What a picture shows of a square, at least one pixel, and where that begins: nobody shrinks the rest in vain."""
    height, width = picture.shape[:2]
    left, right = _stretch(origin[0], side, width)
    top, bottom = _stretch(origin[1], side, height)
    return picture[top:bottom, left:right], (left, top)


def _stretch(begin: float, side: float, whole: int) -> tuple[int, int]:
    """The pixels of one axis, with one more at each end for the linear cut."""
    first = min(max(int(begin) - 1, 0), whole - 1)
    return first, min(max(int(begin + side) + 2, first + 1), whole)


def _shrunk(picture: Picture, scale: float) -> tuple[Picture, float]:
    """A picture shrunk by area where a linear cut would skip pixels, and by how much."""
    if scale >= 0.5:  # noqa: PLR2004 - a linear cut reads every pixel down to one half
        return picture, 1.0
    shrink = scale / 0.5
    height, width = (max(1, round(length * shrink)) for length in picture.shape[:2])
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8), shrink


class Landmarkers:
    """MediaPipe's three models and our face net, loaded. Belongs to one thread: workers each have theirs.

    Attributes:
        our_faces: finds faces that MediaPipe's models miss.

    Sources: MediaPipe 0.10.31 Tasks; model cards of BlazeFace (full range, sparse), Face Mesh with Attention, Hands.
    """

    def __init__(self) -> None:
        self.our_faces = FaceNet()
        mode = vision.RunningMode.IMAGE
        self._finder = vision.FaceDetector.create_from_options(
            vision.FaceDetectorOptions(_base(MediaPipeModel.FACE_DETECTOR), mode, min_detection_confidence=0.4)
        )
        self._face = vision.FaceLandmarker.create_from_options(
            vision.FaceLandmarkerOptions(
                _base(MediaPipeModel.FACE_LANDMARKER),
                mode,
                num_faces=1,
                min_face_detection_confidence=0.3,
                min_face_presence_confidence=0.3,
            )
        )
        self._hands = vision.HandLandmarker.create_from_options(
            vision.HandLandmarkerOptions(
                _base(MediaPipeModel.HAND_LANDMARKER),
                mode,
                num_hands=4,  # a crop may show a neighbour's hands too
                min_hand_detection_confidence=0.3,
                min_hand_presence_confidence=0.3,
            )
        )

    def find_faces(self, picture: Picture) -> tuple[FoundFace, ...]:
        """Find faces of about a twentieth of the picture's side or more."""
        found = self._finder.detect(_image(picture)).detections
        return tuple(_found_face(detection) for detection in found)

    def face(self, picture: Picture) -> FaceLandmarks | None:
        """Read the face that fills most of the picture; None where there is none."""
        found = self._face.detect(_image(picture)).face_landmarks
        return FaceLandmarks(_pixels(found[0], picture)) if found else None

    def hands(self, picture: Picture) -> tuple[HandLandmarks, ...]:
        """Read up to four hands."""
        found = self._hands.detect(_image(picture))
        return tuple(
            HandLandmarks(_pixels(points, picture), _metres(world), _side(handedness[0]), float(handedness[0].score))
            for points, world, handedness in zip(
                found.hand_landmarks, found.hand_world_landmarks, found.handedness, strict=True
            )
        )

    def close(self) -> None:
        """Give the models back; without it the interpreter's exit prints an error."""
        for landmarker in (self._finder, self._face, self._hands):
            landmarker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_loading = threading.Lock()


def _base(model: MediaPipeModel) -> BaseOptions:
    with _loading:  # two workers starting together fetch once
        return BaseOptions(model_asset_path=str(model_path(model)))


def _image(picture: Picture) -> mediapipe.Image:
    return mediapipe.Image(
        image_format=mediapipe.ImageFormat.SRGB, data=np.ascontiguousarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))
    )


def _found_face(detection: Any) -> FoundFace:
    box = detection.bounding_box
    return FoundFace(
        Box(float(box.origin_x), float(box.origin_y), float(box.width), float(box.height)),
        float(detection.categories[0].score),
    )


def _pixels(points: Any, picture: Picture) -> Points:
    """MediaPipe's shares of the picture as pixels; depth has the unit of x."""
    height, width = picture.shape[:2]
    return np.array([(p.x * width, p.y * height, p.z * width) for p in points], np.float32)


def _metres(points: Any) -> Points:
    return np.array([(p.x, p.y, p.z) for p in points], np.float32)


def _side(category: Any) -> Side:
    """Anatomical for an unmirrored picture (spikes: 113 of 113 hands at heads)."""
    return Side.LEFT if category.category_name == "Left" else Side.RIGHT
