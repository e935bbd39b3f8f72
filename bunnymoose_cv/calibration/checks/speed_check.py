"""Check of the computer: the time for five players, and the quality step that it keeps up with."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.capture.camera_step import CameraStep
from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.resources import bundled

if TYPE_CHECKING:
    from bunnymoose_cv.vision.reader import Reader

_FULL_HD: Final = (1920, 1080)
_FREEZE_S: Final = 3.5
"""The moment of Bam in the demo clip."""


def demo_freeze() -> Frame:
    """The demo clip's frame at Bam with its five players, at 1080p."""
    frame = next(frame for frame in Clip(bundled("fixtures/demo.mp4"), "the demo clip") if frame.time_s >= _FREEZE_S)
    return Frame(np.asarray(cv2.resize(frame.image, _FULL_HD), np.uint8), frame.time_s)


def time_five(reader: Reader, budget_s: float = 0.0) -> tuple[int, float]:
    """Time full readings of the demo clip's five players, after one that warms up.

    Args:
        budget_s: seconds in which another reading may begin; one is timed in any case.

    Returns:
        The number of players in the last reading, and the median time of a reading in seconds.
    """
    frame = demo_freeze()
    heads = tuple(player.player.head for player in reader.read(frame.image, frame.time_s).players)
    times_s: list[float] = []
    first_s = began_s = time.perf_counter()
    while True:
        players = len(reader.follow(frame, heads).players)
        ended_s = time.perf_counter()
        times_s.append(ended_s - began_s)
        if ended_s - first_s >= budget_s:
            return players, statistics.median(times_s)
        began_s = ended_s


def step_for(seconds: float, *, keeps_up: bool = True) -> CameraStep:
    """Choose the quality step.

    Args:
        seconds: for a full reading of five players.
        keeps_up: whether about as many frames came as the camera was asked for.
    """
    step = CameraStep.FULL
    if seconds > THRESHOLDS.comfortable_s:
        step = CameraStep.MIDDLE if seconds <= THRESHOLDS.slow_s else CameraStep.SMALL
    return step if keeps_up else step.below


def check_speed(seconds: float, step: CameraStep) -> Finding:
    """Tell the time for five players, and the step chosen for it."""
    sentence = _words(seconds, step)
    if seconds <= THRESHOLDS.slow_s:
        return good(CheckLine.SPEED, sentence, seconds)
    remedy = Phrase("Close other programs, or wait some seconds longer for verdicts.")
    return Finding(CheckLine.SPEED, Level.WEAK, sentence, remedy, CheckCause.SLOW_COMPUTER, seconds)


def _words(seconds: float, step: CameraStep) -> Phrase:
    mode = step.mode
    if mode is None:
        return Phrase("Five players take {seconds:.1f} s: the camera is used at its full size.", seconds=seconds)
    return Phrase(
        "Five players take {seconds:.1f} s: the camera is asked for {width}×{height} at {rate:.0f} frames a second.",
        seconds=seconds,
        width=mode.width,
        height=mode.height,
        rate=mode.frames_per_s,
    )
