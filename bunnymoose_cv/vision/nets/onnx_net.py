"""ONNX network, run by OpenCV."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.vision.model_files import damaged_model, missing_model

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Array: TypeAlias = npt.NDArray[np.float32]


class OnnxNet:
    """Loaded ONNX network. It belongs to one thread at a time."""

    def __init__(self, model: Path | bytes) -> None:
        """Load a network from its file or the file's bytes. Raise a `ModelError` if it is missing or damaged."""
        if isinstance(model, bytes):
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(model, np.uint8))
            return
        if not model.is_file():
            raise missing_model(model)
        try:
            self._net = cv2.dnn.readNetFromONNX(str(model))
        except cv2.error as error:
            raise damaged_model(model) from error

    def run(self, batch: npt.NDArray[np.float32], output: str = "") -> Array:
        """Return the network's output for a batch: the named output, or the only one."""
        self._net.setInput(batch)
        return np.asarray(self._net.forward(output), np.float32)

    def run_all(self, batch: npt.NDArray[np.float32], outputs: Sequence[str]) -> tuple[Array, ...]:
        """Return several named outputs for a batch."""
        self._net.setInput(batch)
        return tuple(np.asarray(output, np.float32) for output in self._net.forward(outputs))


def blob(images: Sequence[npt.NDArray[np.uint8]]) -> Array:
    """Return a batch of images of equal size, with values from 0 to 1, shape (n, 3, height, width)."""
    return np.asarray(cv2.dnn.blobFromImages(list(images), scalefactor=1 / 255), np.float32)
