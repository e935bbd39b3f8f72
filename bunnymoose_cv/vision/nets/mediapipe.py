"""MediaPipe behind our own types: an image in, faces and hands as points out.

Only this module knows MediaPipe's inference. Images are unmirrored,
blue-green-red bytes of shape (height, width, 3); points are pixels of the image they were found in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import cv2
import mediapipe
import numpy as np
from mediapipe.tasks.python import BaseOptions, vision

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.detections import FaceLandmarks, HandLandmarks
from bunnymoose_cv.vision.model_files import ModelFile, model_path
from bunnymoose_cv.vision.nets.face_pose_net import FaceNet
from bunnymoose_cv.vision.nets.shared_library import MEDIAPIPE

if TYPE_CHECKING:
    from types import TracebackType

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.geometry import Points


class Landmarkers:
    """MediaPipe's two models and our face network, loaded. Belongs to one thread: workers each have theirs.

    Attributes:
        face_net: checks the meshes, and finds faces that they miss.

    Sources: MediaPipe 0.10.31 Tasks; model cards of Face Mesh with Attention and Hands.
    """

    def __init__(self) -> None:
        self.face_net = FaceNet()
        with MEDIAPIPE.creation():
            mode = vision.RunningMode.IMAGE
            self._face = vision.FaceLandmarker.create_from_options(
                vision.FaceLandmarkerOptions(
                    _base(ModelFile.FACE_LANDMARKER),
                    mode,
                    num_faces=1,
                    min_face_detection_confidence=0.3,
                    min_face_presence_confidence=0.3,
                )
            )
            self._hands = vision.HandLandmarker.create_from_options(
                vision.HandLandmarkerOptions(
                    _base(ModelFile.HAND_LANDMARKER),
                    mode,
                    num_hands=4,  # a crop may show a neighbour's hands too
                    min_hand_detection_confidence=0.3,
                    min_hand_presence_confidence=0.3,
                )
            )

    def face(self, image: Image) -> FaceLandmarks | None:
        """Read the face that fills most of the image; None where there is none."""
        with MEDIAPIPE.call():
            found = self._face.detect(_image(image)).face_landmarks
        return FaceLandmarks(_pixels(found[0], image)) if found else None

    def hands(self, image: Image) -> tuple[HandLandmarks, ...]:
        """Read up to four hands."""
        with MEDIAPIPE.call():
            found = self._hands.detect(_image(image))
        return tuple(
            HandLandmarks(_pixels(points, image), _metres(world), _side(handedness[0]), float(handedness[0].score))
            for points, world, handedness in zip(
                found.hand_landmarks, found.hand_world_landmarks, found.handedness, strict=True
            )
        )

    def close(self) -> None:
        """Release the models; without it the interpreter's exit prints an error."""
        with MEDIAPIPE.call():
            for landmarker in (self._face, self._hands):
                landmarker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _base(model: ModelFile) -> BaseOptions:
    return BaseOptions(model_asset_path=str(model_path(model)))


def _image(image: Image) -> mediapipe.Image:
    return mediapipe.Image(
        image_format=mediapipe.ImageFormat.SRGB, data=np.ascontiguousarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
    )


def _pixels(points: Any, image: Image) -> Points:
    """MediaPipe's shares of the image as pixels; depth has the unit of x."""
    height, width = image.shape[:2]
    return np.array([(p.x * width, p.y * height, p.z * width) for p in points], np.float32)


def _metres(points: Any) -> Points:
    return np.array([(p.x, p.y, p.z) for p in points], np.float32)


def _side(category: Any) -> Side:
    """Anatomical for an unmirrored image (spikes: 113 of 113 hands at heads)."""
    return Side.LEFT if category.category_name == "Left" else Side.RIGHT
