"""Readings made by hand and streams of frames: one player's frames, and people who lean or come late."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Place, Spread
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.pose import Headgear

MakeReading: TypeAlias = Callable[..., PlayerReading]

MOOSE = Antler(Spread.WIDE, Direction.UP)
RABBIT = Ear(Place.TOP, Form.STRAIGHT)
LIMITS = load_settings().freeze
AT_ZERO = Window.around(0.0, LIMITS)
"""Window of the shipped limits around a cue at 0 s."""


def probabilities(headgear: Headgear, sure: float = 0.99) -> HeadgearProbabilities:
    """The net's answer for a headgear."""
    rest = (1 - sure) / 2
    if headgear is None:
        return HeadgearProbabilities(rest, rest, sure)
    if isinstance(headgear, Antler):
        wide = sure if headgear.spread is Spread.WIDE else 1 - sure
        return HeadgearProbabilities(
            sure, rest, rest, wide=wide, up=sure if headgear.direction is Direction.UP else rest
        )
    straight = sure if headgear.form is Form.STRAIGHT else 1 - sure
    return HeadgearProbabilities(rest, sure, rest, straight=straight, top=sure if headgear.place is Place.TOP else rest)


def frames_of(readings: Sequence[PlayerReading | None], times_s: Sequence[float]) -> list[FrameReading]:
    """Frames of one player, 1000 pixels wide; None where the player was not found."""
    image = np.zeros((1, 1000, 3), np.uint8)
    return [
        FrameReading(image, time_s, () if reading is None else (reading,))
        for reading, time_s in zip(readings, times_s, strict=True)
    ]


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
