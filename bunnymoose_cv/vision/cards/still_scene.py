"""Stillness of a watched scene: for how long nothing has moved in it, whatever the sensor's noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.vision.cards.card_settings import WATCHING

if TYPE_CHECKING:
    import numpy.typing as npt

_CELLS: Final = 48
"""Number of cells across the image: noise averages out in one, a finger does not."""


class StillScene:
    """Frame difference by cells, less the change that all cells share (exposure, flicker)."""

    def __init__(self) -> None:
        self._before: npt.NDArray[np.float32] | None = None
        self._moved_s = 0.0

    def seconds(self, image: npt.NDArray[np.uint8], time_s: float) -> float:
        """Tell for how long nothing has moved; 0 for the first image and for each in which something did.

        Args:
            image: shape (height, width, 3) or (height, width), always of the same size.
        """
        now = _cells(image)
        if self._before is None or self._before.shape != now.shape or _moved(self._before, now):
            self._moved_s = time_s
        self._before = now
        return time_s - self._moved_s


def _cells(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Average the image over square cells."""
    grey = image if image.ndim == 2 else image[..., 1]  # height and width alone
    side = max(1, grey.shape[1] // _CELLS)
    rows, columns = grey.shape[0] // side, grey.shape[1] // side
    blocks = grey[: rows * side, : columns * side].reshape(rows, side, columns, side)
    return np.asarray(blocks.mean(axis=(1, 3)), np.float32)


def _moved(before: npt.NDArray[np.float32], now: npt.NDArray[np.float32]) -> bool:
    change = now - before
    return int((np.abs(change - np.median(change)) > WATCHING.changed_grey).sum()) >= WATCHING.moved_cells
