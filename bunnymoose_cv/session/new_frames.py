"""New frames of a source: each is taken once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Frame

SAME_FRAME_S: Final = 0.001
"""Frames nearer than this are one."""


class FrameSource(Protocol):
    """Source of frames: a video source, a watcher."""

    def newest(self) -> Frame | None:
        """Newest frame; None where there is none."""


class NewFrames:
    """Frames of a source that have not been taken. Belongs to one thread."""

    def __init__(self, source: FrameSource) -> None:
        self._source = source
        self._taken_s = float("-inf")

    def take(self) -> Frame | None:
        """Take the newest frame; None where there is none but what was taken before."""
        frame = self._source.newest()
        if frame is None or frame.time_s < self._taken_s + SAME_FRAME_S:
            return None
        self._taken_s = frame.time_s
        return frame
