"""Face networks: the detector of all faces in a whole image, and the network that measures one face in a crop.

The detector finds box, eyes, nose and mouth corners, the other network eyes, head axes and confidence. Both are trained
in training/faces.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.vision.detections import FacePose, keep_first, same_box
from bunnymoose_cv.vision.geometry import Box, shrink
from bunnymoose_cv.vision.logits import logit, sigmoid
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet, blob
from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

    Array = npt.NDArray[np.float32]


SHIPPED_NET: Final = bundled("models/face_detector.onnx")

STRIDES: Final = (8, 16, 32)
"""Side of a cell at each level, pixels of the network's input."""

OUTPUTS: Final = 15
"""Number of outputs of each cell: the log odds of a face, its centre, the logarithms of its size, and five points.
Centre and points are relative to the cell's centre. All lengths are in sides of the cell."""

LOOK_PX: Final = 640
"""Longer side of the image in the first look, pixels."""

CLOSE_PX, LARGE_PX = 320, 150
"""Longer side of the image in a second look for large faces, and the width of a face in the first look from which it
follows, pixels. It also follows if the first look finds no face."""

SMALL_PX, WELL_PX, FAR = 20, 24, 2
"""Width of a face in the first look below which a second look for small faces follows, its wanted width in that look,
and the greatest enlargement relative to the first."""

_CHECKED_WIDTH: Final = 0.6
"""Least width of a checked face, relative to the widest sure one. Raised hands look like smaller faces."""

_CHECK_SIZE: Final = 1.25
"""Size of the mirrored image that is searched for doubtful faces, relative to the first look."""

_UNSEEN: Final = 0.02
"""Score of a doubtful face that a look does not show."""

MIRRORED: Final = [1, 0, 2, 4, 3]
"""Order of the points of a mirrored face."""

WIDE: Final = 16 / 9
"""Ratio of the longer to the shorter side above which the first look is longer, to keep its number of pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class DetectedFace:
    """Detected face, in pixels of its image.

    Attributes:
        box: the face from brow or hair line to chin, without the ears.
        points: right eye, left eye, nose, right and left mouth corner, shape (5, 2); right is the person's own.
    """

    box: Box
    points: Array
    score: float


class FaceDetector:
    """Our face detector, loaded. Threads that share it take turns."""

    def __init__(self, model: Path | bytes = SHIPPED_NET) -> None:
        self._net, self._lock = OnnxNet(model), Lock()

    def find(self, image: Image) -> list[DetectedFace]:
        """Find the faces of an image with a score of at least `FACES.possible`, the surest first."""
        return self.find_rest(image, self.find_quick(image, FACES.possible))

    def find_rest(self, image: Image, first: list[DetectedFace]) -> list[DetectedFace]:
        """Complete the first look of `find_quick` by very large and small faces, and check the doubtful ones.

        Doubtful faces are looked for again in the mirrored image, larger: two looks are right more often than one. The
        others, from `FACES.doubtful`, are returned as they are.
        """
        longest = _longest_px(image)
        scale = min(1.0, longest / max(image.shape[:2]))
        found = first
        looks_at_small = [first]
        clear = [face for face in first if face.score >= FACES.doubtful]
        widths = [face.box.width * scale for face in clear]
        if max(widths, default=LARGE_PX) >= LARGE_PX:
            close = self.look(image, CLOSE_PX, FACES.possible)
            found = [*found, *(face for face in close if face.box.width * scale >= LARGE_PX / 2)]
        if scale < 1 and min(widths, default=SMALL_PX) < SMALL_PX:
            nearer = min(math.ceil(8 * WELL_PX / min(widths)) / 8, FAR)  # few sizes, each of which needs memory
            far = self._look_mirrored(image, round(nearer * longest), FACES.possible)
            found = [*found, *(face for face in far if face.box.width * scale < SMALL_PX * 2)]
            looks_at_small.append(far)
        ranked = sorted(found, key=lambda face: (face in clear, face.score), reverse=True)
        found = keep_first(ranked, lambda face, other: same_box(face.box, other.box))
        kept = (face for face in self._checked(found, image, longest, looks_at_small) if face.score >= FACES.possible)
        return sorted(kept, key=lambda face: -face.score)

    def _checked(
        self, found: Sequence[DetectedFace], image: Image, longest_px: int, looks_at_small: Sequence[list[DetectedFace]]
    ) -> Iterator[DetectedFace]:
        """Yield faces, the doubtful ones with the mean log odds of two looks.

        Args:
            longest_px: longer side of the image in the first look.
            looks_at_small: the looks that can show small faces, one or two.
        """
        scale = min(1.0, longest_px / max(image.shape[:2]))
        widest = max((face.box.width for face in found if face.score >= FACES.doubtful), default=0.0)
        mirrored = cache(lambda size_px: self._look_mirrored(image, round(_CHECK_SIZE * size_px), _UNSEEN))
        for face in found:
            width = face.box.width * scale
            if face.score >= FACES.doubtful:
                yield face
            elif len(looks_at_small) > 1 and width < SMALL_PX * 2:
                yield _averaged(face, [_score_of(face, look) for look in looks_at_small])
            elif face.box.width >= _CHECKED_WIDTH * widest:
                again = mirrored(CLOSE_PX if width >= LARGE_PX else longest_px)
                yield _averaged(face, [face.score, _score_of(face, again)])
            else:
                yield face

    def _look_mirrored(self, image: Image, longest_px: int, least: float) -> list[DetectedFace]:
        """Run the network on the mirrored image, and return the faces in the image itself."""
        small, scale = shrink(image, longest_px)
        seen = self.look(np.asarray(cv2.flip(small, 1), np.uint8), longest_px, least)
        return [_unmirrored(face, small.shape[1], scale) for face in seen]

    def find_quick(self, image: Image, least: float) -> list[DetectedFace]:
        """Find the faces of an image in one look, the surest first. Very large and small ones may be missed."""
        return self.look(image, _longest_px(image), least)

    def look(self, image: Image, longest_px: int, least: float) -> list[DetectedFace]:
        """Run the network once on an image whose longer side is shrunk to a length. An image is never enlarged."""
        small, scale = shrink(image, longest_px)
        height, width = small.shape[:2]
        below, beside = (-length % STRIDES[-1] for length in (height, width))
        padded = cv2.copyMakeBorder(small, 0, below, 0, beside, cv2.BORDER_CONSTANT)
        with self._lock:
            answers = self._net.run(blob([np.asarray(padded, np.uint8)]))[0]
        return decode_faces(answers, cells_of(height + below, width + beside), scale, least)


def _unmirrored(face: DetectedFace, width: int, scale: float) -> DetectedFace:
    """Return a face in an image, of which a mirrored copy was shrunk by a scale to a width."""
    box, points = face.box, face.points[MIRRORED] / np.float32(scale)
    points[:, 0] = width / scale - points[:, 0]
    place = Box((width - box.x - box.width) / scale, box.y / scale, box.width / scale, box.height / scale)
    return replace(face, box=place, points=points)


def _score_of(face: DetectedFace, look: Iterable[DetectedFace]) -> float:
    """Return the score of a face in another look."""
    return max((other.score for other in look if same_box(other.box, face.box)), default=_UNSEEN)


def _averaged(face: DetectedFace, scores: Sequence[float]) -> DetectedFace:
    """Return a face with the mean log odds of its scores in several looks."""
    return replace(face, score=float(sigmoid(logit(scores, _UNSEEN).mean())))


def _longest_px(image: Image) -> int:
    """Return the longer side of an image in its first look."""
    elongation = max(image.shape[:2]) / min(image.shape[:2])
    return round(LOOK_PX * math.sqrt(max(1.0, elongation / WIDE)))


@lru_cache(maxsize=8)
def cells_of(height: int, width: int) -> Array:
    """Return the cells of an input, the finest level first, shape (n, 3): centre and side, pixels.

    Height and width are divisible by the largest stride.
    """
    levels = []
    for stride in STRIDES:
        row, column = np.mgrid[: height // stride, : width // stride].reshape(2, -1)
        levels.append(np.stack([(column + 0.5) * stride, (row + 0.5) * stride, np.full(row.size, stride)], 1))
    return np.concatenate(levels).astype(np.float32)


def decode_faces(answers: Array, cells: Array, scale: float, least: float) -> list[DetectedFace]:
    """Decode the network's answers for one input, shape (OUTPUTS, n), after non-maximum suppression.

    Args:
        scale: number of pixels of the input per pixel of the image.
        least: lowest score of a face.
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


SIZE = 128
"""Side of the input of the network for one face, in pixels."""

CELL = 16
CELLS = SIZE // CELL
"""Number of cells along each side of its output. A cell scores whether it contains the middle between two eyes."""


class FaceNet:
    """Our face network, loaded. It belongs to one thread at a time."""

    def __init__(self) -> None:
        self._net = OnnxNet(bundled("models/face.onnx"))

    def faces(self, cuts: Sequence[Image]) -> list[FacePose]:
        """Return the likeliest face in each blue-green-red crop of shape (SIZE, SIZE, 3), in pixels of the crop."""
        return [face_in(said) for said in self._net.run(blob(cuts))]


def face_in(said: npt.NDArray[np.float32]) -> FacePose:
    """Decode the likeliest face from the network's output for one crop, shape (9, CELLS, CELLS)."""
    row, column = np.unravel_index(int(said[0].argmax()), said[0].shape)
    own = said[:, row, column].astype(np.float64)
    middle = (np.array([column, row]) + 0.5) * CELL
    return FacePose(own[1:5].reshape(2, 2) * CELL + middle, own[5:].reshape(2, 2), float(sigmoid(own[0])))
