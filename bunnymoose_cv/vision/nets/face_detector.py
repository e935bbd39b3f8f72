"""Face detector: one network over the whole image gives boxes, eyes, nose and mouth corners of all faces.

Trained in training/faces (`detector.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.logits import sigmoid
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet, blob
from bunnymoose_cv.vision.settings import FACES
from bunnymoose_cv.vision.shrink import shrink
from bunnymoose_cv.vision.suppress import same_box, suppress

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

    Array = npt.NDArray[np.float32]

SHIPPED_NET: Final = bundled("models/face_detector.onnx")

STRIDES: Final = (8, 16, 32)
"""Sides of the cells of each level, pixels of the network's input."""

OUTPUTS: Final = 15
"""Outputs of each cell: log odds of a face; its centre from the cell's and the logarithm of its size, in sides of the
cell; five points from the cell's centre, likewise."""

LOOK_PX: Final = 640
"""Longer side of the image in the first look, pixels."""

CLOSE_PX, LARGE_PX = 320, 200
"""Longer side in a second look for faces of about this width and more in the first, or if that shows none."""

SMALL_PX, WELL_PX, FAR = 20, 28, 2
"""Width of a face in the first look below which a second one follows; its width in that look; greatest enlargement."""

WIDE: Final = 16 / 9
"""Longer over shorter side above which the first look is longer, so that it has as many pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class DetectedFace:
    """One face of an image, in that image's pixels.

    Attributes:
        box: from brow or hair line to chin, without the ears.
        points: right eye, left eye, nose, right and left mouth corner, shape (5, 2); right is the person's own.
        score: confidence that it is a face, 0 to 1.
    """

    box: Box
    points: Array
    score: float


class FaceDetector:
    """Our face detector, loaded. Threads that share it take turns."""

    def __init__(self, model: Path | bytes = SHIPPED_NET) -> None:
        """Load the network from its file."""
        self._net, self._lock = OnnxNet(model), Lock()

    def find(self, image: Image, least: float) -> list[DetectedFace]:
        """Find the faces of an image, the surest first.

        Args:
            least: least score of a face.
        """
        longest = _longest_px(image)
        scale = min(1.0, longest / max(image.shape[:2]))
        found = self.find_quick(image, least)
        widths = [face.box.width * scale for face in found if face.score >= FACES.plain]
        if max(widths, default=LARGE_PX) >= LARGE_PX:
            close = self.look(image, CLOSE_PX, least)
            found += (face for face in close if face.box.width * scale >= LARGE_PX / 2)
        if scale < 1 and min(widths, default=SMALL_PX) < SMALL_PX:
            nearer = min(math.ceil(4 * WELL_PX / min(widths)) / 4, FAR)  # few sizes, each of which needs memory
            far = self.look(image, round(nearer * longest), least)
            found += (face for face in far if face.box.width * scale < SMALL_PX * 2)
        return suppress(found, lambda face: face.score, lambda face, other: same_box(face.box, other.box))

    def find_quick(self, image: Image, least: float) -> list[DetectedFace]:
        """Find the faces of an image in one look, the surest first; very large and small ones may be missed."""
        return self.look(image, _longest_px(image), least)

    def look(self, image: Image, longest_px: int, least: float) -> list[DetectedFace]:
        """Look at an image once, shrunk to a longer side; an image is never enlarged."""
        small, scale = shrink(image, longest_px)
        height, width = small.shape[:2]
        below, beside = (-length % STRIDES[-1] for length in (height, width))
        padded = cv2.copyMakeBorder(small, 0, below, 0, beside, cv2.BORDER_CONSTANT)
        with self._lock:
            answers = self._net.run(blob([np.asarray(padded, np.uint8)]))[0]
        return decode_faces(answers, cells_of(height + below, width + beside), scale, least)


def _longest_px(image: Image) -> int:
    """Return the longer side of an image in its first look."""
    elongation = max(image.shape[:2]) / min(image.shape[:2])
    return round(LOOK_PX * math.sqrt(max(1.0, elongation / WIDE)))


@lru_cache(maxsize=8)
def cells_of(height: int, width: int) -> Array:
    """Return the cells of an input, the finest level first, shape (n, 3): centre and side, pixels.

    Args:
        height: pixels of the input, divisible by the largest stride; the width too.
    """
    levels = []
    for stride in STRIDES:
        row, column = np.mgrid[: height // stride, : width // stride].reshape(2, -1)
        levels.append(np.stack([(column + 0.5) * stride, (row + 0.5) * stride, np.full(row.size, stride)], 1))
    return np.concatenate(levels).astype(np.float32)


def decode_faces(answers: Array, cells: Array, scale: float, least: float) -> list[DetectedFace]:
    """Decode the network's answers for one input, after non-maximum suppression.

    Args:
        answers: shape (OUTPUTS, n).
        cells: `cells_of` the input.
        scale: pixels of the input for one pixel of the image.
        least: least score of a face.
    """
    scores = np.asarray(sigmoid(answers[0]), np.float32)
    rows = np.flatnonzero(scores >= least)
    centre, side, own = cells[rows, :2], cells[rows, 2:], answers[1:, rows].T
    sizes = np.exp(own[:, 2:4]) * side
    corners = centre + own[:, :2] * side - sizes / 2
    boxes = np.hstack([corners, sizes]) / scale
    points = (centre[:, None] + own[:, 4:].reshape(-1, 5, 2) * side[:, None]) / scale
    kept = cv2.dnn.NMSBoxes(boxes.tolist(), scores[rows].tolist(), least, FACES.same_look) if len(rows) else ()
    return [
        DetectedFace(Box(*map(float, boxes[row])), points[row].astype(np.float32), float(scores[rows[row]]))
        for row in kept
    ]
