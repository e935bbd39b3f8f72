"""Frames to be judged: those of a clip, or those of live footage as soon as they arrive."""

from __future__ import annotations

import math
from itertools import count
from math import prod
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.image_geometry import fit_frame
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.capture.footage import Footage
    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.core.user_settings import FreezeSettings

SAME_TIME_S: Final = 0.001


def freeze_frames(clip: Clip, cue_s: float, settings: FreezeSettings) -> tuple[Frame, ...]:
    """Return frames spread evenly over the freeze around a cue, as far as the clip reaches.

    They begin before the window if that shows how long a tongue was out. If the size of the clip changes in between,
    all frames get the largest size. Raise an `InputError` if the clip has no such moment.
    """
    clip.check_time(cue_s)
    window = Window.around(cue_s, settings)
    wanted_s = [time_s for time_s in window.read_s if time_s >= -SAME_TIME_S]
    chosen: list[Frame] = []
    for frame in clip.frames(wanted_s[0], wanted_s[-1] + window.step_s):
        if len(chosen) < len(wanted_s) and frame.time_s >= wanted_s[len(chosen)] - SAME_TIME_S:
            chosen.append(frame)
    if not chosen:
        return (clip.frame_at(cue_s),)
    largest = max((frame.size for frame in chosen), key=prod)
    return tuple(fit_frame(frame, largest) for frame in chosen)


def stepped_frames(clip: Clip, step_s: float) -> Iterator[tuple[Frame, float]]:
    """Yield the frame that is shown at every step, in seconds, from the beginning of a clip, with its time."""
    moments_s = (number * step_s for number in count())
    moment_s, shown = next(moments_s), None
    for frame in clip:
        while shown is not None and moment_s < frame.time_s - SAME_TIME_S:
            yield shown, moment_s
            moment_s = next(moments_s)
        shown = frame
    while shown is not None and moment_s < clip.duration_s - SAME_TIME_S:
        yield shown, moment_s
        moment_s = next(moments_s)


PATIENCE_S: Final = 5.0
"""Timeout of the wait for a frame; the loss of a camera is reported earlier."""


class FootageFrames:
    """Source of single frames, `step_s` seconds apart; once a frame did not arrive, later ones are not waited for.

    Frames are scaled to a size (width and height, pixels) if one is given.
    """

    def __init__(self, footage: Footage, step_s: float, size: tuple[int, int] | None = None) -> None:
        self._footage = footage
        self._step_s = step_s
        self._size = size
        self._missing_s = math.inf

    def at(self, time_s: float) -> Frame | None:
        """Return the first frame that is not older than a time; None if it will not arrive."""
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
