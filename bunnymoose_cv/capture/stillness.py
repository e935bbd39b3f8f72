"""For how long a source has shown the very same picture. Owns no judgement of what that means."""

from __future__ import annotations

from typing import Final

import numpy as np

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.packed import PackedFrame

_SAMPLED_ROWS: Final = 32
"""Every so many rows are compared first: pictures that differ nearly always differ there already."""


class Stillness:
    """Compares each picture with the one before, to the last bit: a real camera's noise makes each another."""

    def __init__(self) -> None:
        self._before: Frame | PackedFrame | None = None
        self._changed_s: float | None = None

    def seconds(self, taken: Frame | PackedFrame) -> float:
        """How long the picture has been what it is now; 0 where it is new."""
        if self._before is None or self._changed_s is None or not _same(self._before, taken):
            self._changed_s = taken.time_s
        self._before = taken
        return taken.time_s - self._changed_s


def _same(one: Frame | PackedFrame, other: Frame | PackedFrame) -> bool:
    if isinstance(one, PackedFrame) and isinstance(other, PackedFrame):
        return one.content == other.content
    if isinstance(one, Frame) and isinstance(other, Frame):
        return np.array_equal(one.picture[::_SAMPLED_ROWS], other.picture[::_SAMPLED_ROWS]) and np.array_equal(
            one.picture, other.picture
        )
    return False
