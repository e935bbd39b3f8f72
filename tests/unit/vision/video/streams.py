"""Streams of frames for tests: people who lean or come late, and the frame of a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.readings import FrameReading


def shifted(image: Image, right: int) -> Image:
    """The image as if everybody had leaned to its right."""
    return np.roll(image, right, axis=1)


def poses(reading: FrameReading) -> list[str]:
    return [str(player.pose) for player in reading.players]


def hidden_until(image: Image, shown_from: int, count: int, rate: int = 10) -> list[Frame]:
    """Frames of two players, `rate` a second; the right one is covered until a frame."""
    hidden = image.copy()
    hidden[:, 640:] = 128
    return [Frame(image if number >= shown_from else hidden, number / rate) for number in range(count)]


def frame_from(frames: list[Frame]) -> Callable[[float], Frame | None]:
    """The first frame that is not older than a time."""
    return lambda time_s: next((frame for frame in frames if frame.time_s >= time_s - 1e-6), None)


WINDOW = Window(cue_s=1.0, start_s=0.8, end_s=1.6, watched_until_s=1.6, step_s=0.1, tongue_s=0.2)
