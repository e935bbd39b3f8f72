"""Frames of a clip that are judged: those of a freeze, or one at every step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.record.video_file import write_film
from bunnymoose_cv.referee.clip_frames import freeze_frames, stepped_frames

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bunnymoose_cv.core.user_settings import FreezeSettings


def clip_of(folder: Path, times_s: Sequence[float]) -> Clip:
    """A clip whose frames begin at these times."""
    path = folder / "clip.mp4"
    write_film(path, (Frame(np.full((32, 32, 3), 8 * number, np.uint8), time) for number, time in enumerate(times_s)))
    return Clip(path, "clip.mp4")


def settings(before_s: float, after_s: float, frames: int) -> FreezeSettings:
    usual = load_settings().freeze
    return usual.model_copy(update={"before_s": before_s, "after_s": after_s, "frames": frames})


TENTHS = [number / 10 for number in range(20)]


@pytest.mark.parametrize(
    ("times_s", "cue_s", "window", "expected_s"),
    [
        (TENTHS, 1.0, (0.2, 0.6, 5), [0.6, 0.8, 1.0, 1.2, 1.4, 1.6]),
        (TENTHS, 0.0, (0.2, 0.6, 5), [0.0, 0.2, 0.4, 0.6]),
        (TENTHS, 1.9, (0.2, 0.6, 5), [1.5, 1.7, 1.9]),
        (TENTHS, 1.0, (0.0, 0.1, 9), [0.8, 0.9, 1.0, 1.1]),
        ([0.0, 0.1, 1.0], 0.5, (0.1, 0.1, 5), [0.1]),
    ],
    ids=["spread over the window", "cut at the beginning", "cut at the end", "fewer frames than wanted", "a gap"],
)
def test_frames_of_the_freeze_are_spread_over_its_window(
    tmp_path: Path, times_s: Sequence[float], cue_s: float, window: tuple[float, float, int], expected_s: list[float]
) -> None:
    frames = freeze_frames(clip_of(tmp_path, times_s), cue_s, settings(*window))
    assert [frame.time_s for frame in frames] == pytest.approx(expected_s, abs=0.001)


def test_a_cue_outside_the_clip_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no moment 9 s: it lasts from 0 to"):
        freeze_frames(clip_of(tmp_path, TENTHS), 9.0, settings(0.1, 0.6, 5))


@pytest.mark.parametrize(
    ("times_s", "step_s", "expected"),
    [
        (TENTHS, 0.5, [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (1.5, 1.5)]),
        ([0.0, 0.4, 1.3], 0.5, [(0.0, 0.0), (0.4, 0.5), (0.4, 1.0)]),
        (TENTHS, 9.0, [(0.0, 0.0)]),
    ],
    ids=["every half second", "what is shown at the step", "longer than the clip"],
)
def test_each_step_through_a_clip_has_its_frame(
    tmp_path: Path, times_s: Sequence[float], step_s: float, expected: list[tuple[float, float]]
) -> None:
    steps = [(frame.time_s, time_s) for frame, time_s in stepped_frames(clip_of(tmp_path, times_s), step_s)]
    assert steps == [pytest.approx(step, abs=0.001) for step in expected]
