"""Check of the computer: the time for five players, and the quality step that it can keep up with."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.capture.camera_list import CameraStep
from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.vision.reader import Reader

_FULL_HD: Final = (1920, 1080)
_FREEZE_S: Final = 3.5
"""Moment of the Bam in the demo clip, seconds."""


def time_five(reader: Reader, budget_s: float = 0.0) -> tuple[int, float]:
    """Time full readings of the demo clip's five players at 1080p, after one reading to warm up.

    Args:
        budget_s: seconds within which another reading may begin; at least one is timed.

    Returns:
        The number of players in the last reading, and the median time of a reading in seconds.
    """
    clip = Clip(bundled("fixtures/demo.mp4"), "the demo clip")
    frozen = next(frame for frame in clip if frame.time_s >= _FREEZE_S)
    frame = Frame(np.asarray(cv2.resize(frozen.image, _FULL_HD), np.uint8), frozen.time_s)
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
        seconds: time of a full reading of five players.
        keeps_up: False if far fewer frames came than the camera was asked for.
    """
    step = CameraStep.FULL
    if seconds > THRESHOLDS.comfortable_s:
        step = CameraStep.MIDDLE if seconds <= THRESHOLDS.slow_s else CameraStep.SMALL
    return step if keeps_up else step.below


def check_speed(seconds: float, step: CameraStep) -> Finding:
    """Describe the time for five players, and the step chosen for it."""
    mode = step.mode
    sentence = Phrase("Five players take {seconds:.1f} s: the camera is used at its full size.", seconds=seconds)
    if mode is not None:
        sentence = Phrase(
            "Five players take {seconds:.1f} s: the camera is asked for {width}×{height} at {rate:.0f} frames a "
            "second.",
            seconds=seconds,
            width=mode.width,
            height=mode.height,
            rate=mode.frames_per_s,
        )
    if seconds <= THRESHOLDS.slow_s:
        return good(CheckLine.SPEED, sentence, seconds)
    remedy = Phrase("Close other programs, or wait some seconds longer for verdicts.")
    return Finding(CheckLine.SPEED, Level.WEAK, sentence, remedy, CheckCause.SLOW_COMPUTER, seconds)
