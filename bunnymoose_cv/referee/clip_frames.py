"""Frames of a clip that are judged: those of one freeze, or one at every step."""

from __future__ import annotations

from itertools import count
from math import prod
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.dimensions import fit_frame
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.core.user_settings import FreezeSettings

SAME_TIME_S: Final = 0.001
"""Clips round their times to this."""


def freeze_frames(clip: Clip, cue_s: float, settings: FreezeSettings) -> tuple[Frame, ...]:
    """The frames of the freeze around a cue, spread evenly over it; at the ends of a clip it is cut.

    They begin before the window where that tells for how long a tongue was out. Where the clip changes its size in
    between, all have the largest one.

    Raises:
        InputError: the clip has no such moment.
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
    """The frame that is shown at every step from the beginning of a clip, with the moment of that step.

    Args:
        step_s: seconds from one moment to the next, more than 0.
    """
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
