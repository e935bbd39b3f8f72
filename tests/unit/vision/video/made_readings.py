"""Readings made by hand: a headgear's probabilities, and frames of one player."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Place, Spread
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from collections.abc import Sequence

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
