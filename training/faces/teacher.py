"""YuNet as the teacher and the yardstick of our face detector: it lies beside the checkout and is never shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.faces.face_detector import SAME_LOOK, STRIDES, DetectedFace
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.shrink import shrink
from training.paths import SHARED

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

YUNET: Final = SHARED / "spikes/face_search/yunet_n_dynamic.onnx"


class Teacher:
    """YuNet, loaded: its faces, and its scores of all cells."""

    def __init__(self) -> None:
        self._detector = cv2.FaceDetectorYN.create(str(YUNET), "", (320, 320), 0.5, SAME_LOOK, 5000)
        self._net = cv2.dnn.readNetFromONNX(str(YUNET))

    def look(self, image: Image, longest_px: int, least: float) -> list[DetectedFace]:
        """Look at an image once, as `FaceDetector.look` does."""
        small, scale = shrink(image, longest_px)
        self._detector.setInputSize(small.shape[1::-1])
        self._detector.setScoreThreshold(least)
        found = self._detector.detect(small)[1]
        rows = np.zeros((0, 15), np.float32) if found is None else np.asarray(found, np.float32)
        return [
            DetectedFace(Box(*map(float, row[:4] / scale)), row[4:14].reshape(5, 2) / scale, float(row[14]))
            for row in rows
        ]

    def scores(self, images: Sequence[Image]) -> npt.NDArray[np.float32]:
        """Return the scores of all cells of images of one size, shape (n, cells)."""
        self._net.setInput(cv2.dnn.blobFromImages(list(images)))
        said = self._net.forward(self._net.getUnconnectedOutLayersNames())
        levels = len(STRIDES)
        kinds = [np.concatenate(said[begin : begin + levels], 1)[..., 0].clip(0, 1) for begin in (0, levels)]
        return np.sqrt(kinds[0] * kinds[1]).astype(np.float32)
