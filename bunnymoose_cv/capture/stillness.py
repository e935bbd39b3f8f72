"""Watch for a frozen source: the time for which it has shown the very same image."""

from __future__ import annotations

from typing import Final

import numpy as np

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.jpeg_frame import JpegFrame

_SAMPLED_ROWS: Final = 32
"""Every so many rows are compared first: images that differ nearly always differ there already."""


class Stillness:
    """Comparison of each image with the one before, to the last bit: a real camera's noise makes each another."""

    def __init__(self) -> None:
        self._before: Frame | JpegFrame | None = None
        self._changed_s: float | None = None

    def seconds(self, taken: Frame | JpegFrame) -> float:
        """Seconds for which the image has not changed; 0 where it is new."""
        if self._before is None or self._changed_s is None or not _same(self._before, taken):
            self._changed_s = taken.time_s
        self._before = taken
        return taken.time_s - self._changed_s


def _same(one: Frame | JpegFrame, other: Frame | JpegFrame) -> bool:
    if isinstance(one, JpegFrame) and isinstance(other, JpegFrame):
        return one.content == other.content
    if isinstance(one, Frame) and isinstance(other, Frame):
        return np.array_equal(one.image[::_SAMPLED_ROWS], other.image[::_SAMPLED_ROWS]) and np.array_equal(
            one.image, other.image
        )
    return False
