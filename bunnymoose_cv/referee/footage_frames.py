"""Frames of a round's footage at given times, each as soon as it has come."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.dimensions import fit_frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.record.replay import Footage

PATIENCE_S: Final = 5.0
"""Timeout of the wait for a frame; a camera that is lost tells so itself, and sooner."""


class FootageFrames:
    """Source of single frames; after one that did not come none later is waited for.

    Args:
        step_s: from one frame that is read to the next, seconds.
        size: width and height to which frames are brought, pixels; None leaves each as it is.
    """

    def __init__(self, footage: Footage, step_s: float, size: tuple[int, int] | None = None) -> None:
        self._footage = footage
        self._step_s = step_s
        self._size = size
        self._missing_s = math.inf

    def at(self, time_s: float) -> Frame | None:
        """Return the first frame that is not older than a time; None where it will not come."""
        if time_s < self._missing_s and not self._footage.wait_for(time_s, PATIENCE_S):
            self._missing_s = time_s
        if time_s >= self._missing_s:
            return None
        frame = next(iter(self._footage.frames(max(time_s, 0.0), time_s + self._step_s)), None)
        return frame if frame is None or self._size is None else fit_frame(frame, self._size)

    def each(self, times_s: Sequence[float]) -> Iterator[Frame]:
        """Yield the frame of each time, each frame once."""
        latest_s = -math.inf
        for frame in map(self.at, times_s):
            if frame is not None and frame.time_s > latest_s:
                latest_s = frame.time_s
                yield frame
