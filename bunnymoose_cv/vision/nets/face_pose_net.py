"""Face network: eye positions, head axes and confidence from one crop.

Trained in training/faces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.vision.detections import FacePose
from bunnymoose_cv.vision.logits import sigmoid
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet, blob

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image


SIZE = 128
"""Side of the net's input, in pixels."""

CELL = 16
CELLS = SIZE // CELL
"""Number of cells along each side of the output; a cell tells if the middle between two eyes lies in it."""


class FaceNet:
    """Our face net, loaded. Belongs to one thread at a time."""

    def __init__(self) -> None:
        self._net = OnnxNet(bundled("models/face.onnx"))

    def faces(self, cuts: Sequence[Image]) -> list[FacePose]:
        """The likeliest face in each cut, in the cut's pixels.

        Args:
            cuts: at least one, of shape (SIZE, SIZE, 3), blue-green-red.
        """
        return [face_in(said) for said in self._net.run(blob(cuts))]


def face_in(said: npt.NDArray[np.float32]) -> FacePose:
    """The likeliest face by what the net says of the cells of one cut, shape (9, CELLS, CELLS)."""
    row, column = np.unravel_index(int(said[0].argmax()), said[0].shape)
    own = said[:, row, column].astype(np.float64)
    middle = (np.array([column, row]) + 0.5) * CELL
    return FacePose(own[1:5].reshape(2, 2) * CELL + middle, own[5:].reshape(2, 2), float(sigmoid(own[0])))
