"""Wrapper of MediaPipe in our own types: from an image to the landmarks of faces and hands, locked across threads.

Only this module uses MediaPipe's inference. Images are unmirrored, blue-green-red bytes of shape (height, width, 3).
Points are pixels of the image that they were found in.

MediaPipe 0.10.31 sets the C signatures of its functions again whenever a model is created
(`mediapipe_c_utils.create_python_wrapper`). A call in another thread at that moment may read freed memory, so calls and
creation of models share a lock.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Condition
from typing import TYPE_CHECKING, Any, Final, Self

import cv2
import mediapipe
import numpy as np
from mediapipe.tasks.python import BaseOptions, vision

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.detections import FaceLandmarks, HandLandmarks
from bunnymoose_cv.vision.model_files import ModelFile, model_path
from bunnymoose_cv.vision.nets.face_nets import FaceNet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.geometry import Points


class SharedLibrary:
    """Readers-writer lock: calls run in parallel; the creation of models excludes them and takes precedence."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._calls = 0
        self._creating = 0

    @contextmanager
    def call(self) -> Iterator[None]:
        """Hold the lock for a call of a model's function. Waits while a model is created."""
        with self._changed:
            self._changed.wait_for(lambda: not self._creating)
            self._calls += 1
        try:
            yield
        finally:
            with self._changed:
                self._calls -= 1
                self._changed.notify_all()

    @contextmanager
    def creation(self) -> Iterator[None]:
        """Hold the lock for the creation of models. Waits for running calls."""
        with self._changed:
            self._creating += 1
            self._changed.wait_for(lambda: not self._calls)
            try:
                yield
            finally:
                self._creating -= 1
                self._changed.notify_all()


MEDIAPIPE: Final = SharedLibrary()
"""Lock of this process."""


class Landmarkers:
    """MediaPipe's two models and our face network, loaded. Each worker thread has its own instance.

    Sources: MediaPipe 0.10.31 Tasks; model cards of Face Mesh with Attention and Hands.
    """

    def __init__(self) -> None:
        self.face_net = FaceNet()
        face_options = vision.FaceLandmarkerOptions(
            _base(ModelFile.FACE_LANDMARKER),
            min_face_detection_confidence=0.3,
            min_face_presence_confidence=0.3,
        )
        hand_options = vision.HandLandmarkerOptions(
            _base(ModelFile.HAND_LANDMARKER),
            num_hands=4,  # a crop may show a neighbour's hands too
            min_hand_detection_confidence=0.3,
            min_hand_presence_confidence=0.3,
        )
        with MEDIAPIPE.creation():
            self._face = vision.FaceLandmarker.create_from_options(face_options)
            self._hands = vision.HandLandmarker.create_from_options(hand_options)

    def face(self, image: Image) -> FaceLandmarks | None:
        """Return the face that fills most of the image, or None if none is found."""
        with MEDIAPIPE.call():
            found = self._face.detect(_image(image)).face_landmarks
        return FaceLandmarks(_pixels(found[0], image)) if found else None

    def hands(self, image: Image) -> tuple[HandLandmarks, ...]:
        """Return up to four hands."""
        with MEDIAPIPE.call():
            found = self._hands.detect(_image(image))
        return tuple(
            HandLandmarks(_pixels(points, image), _metres(world), _side(handedness[0]), float(handedness[0].score))
            for points, world, handedness in zip(
                found.hand_landmarks, found.hand_world_landmarks, found.handedness, strict=True
            )
        )

    def close(self) -> None:
        """Release the models. Otherwise an error is printed when the interpreter exits."""
        with MEDIAPIPE.call():
            for landmarker in (self._face, self._hands):
                landmarker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _base(model: ModelFile) -> BaseOptions:
    return BaseOptions(model_asset_path=str(model_path(model)))


def _image(image: Image) -> mediapipe.Image:
    return mediapipe.Image(
        image_format=mediapipe.ImageFormat.SRGB, data=np.ascontiguousarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
    )


def _pixels(points: Any, image: Image) -> Points:
    """Convert MediaPipe's points, given as shares of the image, to pixels. Depth has the unit of x."""
    height, width = image.shape[:2]
    return np.array([(p.x * width, p.y * height, p.z * width) for p in points], np.float32)


def _metres(points: Any) -> Points:
    return np.array([(p.x, p.y, p.z) for p in points], np.float32)


def _side(category: Any) -> Side:
    """Return the anatomical side, which is right for unmirrored images (spikes: 113 of 113 hands at heads)."""
    return Side.LEFT if category.category_name == "Left" else Side.RIGHT
