"""Motion between two images, by the change of grey cells: beside a head, and anywhere in a watched scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.cards.card_settings import WATCHING
from bunnymoose_cv.vision.geometry import CropSpec
from bunnymoose_cv.vision.headgear.side_net import UPWARD, WINDOW
from bunnymoose_cv.vision.settings import MOTION

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.faces.head import Head


CELLS: Final = 14
"""Number of cells across and down each side of a head. Noise averages out within a cell."""

_AROUND_CELLS: Final = 22
_AROUND: Final = CropSpec(WINDOW * _AROUND_CELLS / CELLS, _AROUND_CELLS, upward=UPWARD)
"""Square around a head, in which the cells beside it are the left and the right ones of the middle rows."""


def has_moved(before: Image, head_before: Head, now: Image, head: Head) -> bool:
    """Return whether the image beside a head has changed since an earlier image, relative to the head's position."""
    earlier, cells = _cells_beside(before, head_before), _cells_beside(now, head)
    return any(
        _has_changed(earlier[:, side], cells[:, side], MOTION.changed_grey).mean() > MOTION.moved_share
        for side in (np.s_[:CELLS], np.s_[-CELLS:])
    )


def _cells_beside(image: Image, head: Head) -> npt.NDArray[np.float32]:
    """Return the grey cells around a head, shape (CELLS, _AROUND_CELLS)."""
    square = _AROUND.cut(image, head.place(_AROUND, Side.LEFT), head.eye_distance, head.tilt_degrees).image
    margin = (_AROUND_CELLS - CELLS) // 2
    return np.asarray(cv2.cvtColor(square[margin:-margin], cv2.COLOR_BGR2GRAY), np.float32)


def _has_changed(
    before: npt.NDArray[np.float32], now: npt.NDArray[np.float32], threshold: float
) -> npt.NDArray[np.bool_]:
    """Return the mask of cells whose grey value has changed by more than a threshold and unlike most others."""
    change = now - before
    return np.asarray(np.abs(change - np.median(change)) > threshold)


_SCENE_CELLS: Final = 48
"""Number of cells across the image. Noise averages out within a cell, a finger does not."""


class StillScene:
    """Motion detector: frame difference by cells, minus the change that all cells share (exposure, flicker)."""

    def __init__(self) -> None:
        self._before: npt.NDArray[np.float32] | None = None
        self._moved_s = 0.0

    def seconds(self, image: npt.NDArray[np.uint8], time_s: float) -> float:
        """Return the time since something last moved; 0 for the first image and for images with motion.

        Args:
            image: the next image, shape (height, width, 3) or (height, width).
            time_s: time at which it was taken.
        """
        before, self._before = self._before, _cells_of_scene(image)
        if (
            before is None
            or before.shape != self._before.shape
            or _has_changed(before, self._before, WATCHING.changed_grey).sum() >= WATCHING.moved_cells
        ):
            self._moved_s = time_s
        return time_s - self._moved_s


def _cells_of_scene(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    grey = image if image.ndim == 2 else image[..., 1]  # without colour channels
    side = max(1, grey.shape[1] // _SCENE_CELLS)
    rows, columns = grey.shape[0] // side, grey.shape[1] // side
    blocks = grey[: rows * side, : columns * side].reshape(rows, side, columns, side)
    return np.asarray(blocks.mean(axis=(1, 3)), np.float32)
