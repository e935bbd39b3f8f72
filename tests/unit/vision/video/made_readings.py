"""Synthetic readings and frames: frames of one player, and people who lean or arrive late."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Headgear, Place, Side, Spread
from bunnymoose_cv.vision.hands.assignment import Player
from bunnymoose_cv.vision.headgear.headgear_reading import NO_HAND, HeadgearProbabilities
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from bunnymoose_cv.vision.video.window import Window
from tests.doubles import player_reading, sure_of
from tests.unit.vision.made_heads import make_hand, make_head

MOOSE = Antler(Spread.WIDE, Direction.UP)
RABBIT = Ear(Place.TOP, Form.STRAIGHT)
SETTINGS = load_settings()
LIMITS = SETTINGS.freeze
AT_ZERO = replace(Window.around(0.0, LIMITS), headgear_prior=1.0)
"""Window of the shipped limits around a cue at 0 s."""


def make_reading(  # noqa: PLR0913 - a keyword for each thing that readings differ in
    left: Headgear = MOOSE,
    *,
    answer: HeadgearProbabilities | None = None,
    out: float = 0.01,
    sure: float = 0.99,
    at: float | None = 2.0,
    x: float = 300,
) -> PlayerReading:
    """Make a player with a headgear on the left and the left hand `at` eye distances from the eyes."""
    head = make_head(x, eyes=50)
    hands = {} if at is None else {Side.LEFT: make_hand(*head.at(at, 0.5))}
    shown = answer or (NO_HAND if at is None else sure_of(left, sure))
    answers = {Side.LEFT: shown, Side.RIGHT: sure_of(None, 0.99)}
    return player_reading(Player(1, head, hands), answers, out, SETTINGS)


def frames_of(readings: Sequence[PlayerReading | None], times_s: Sequence[float]) -> list[FrameReading]:
    """Return frames of one player, 1000 pixels wide; a reading of None means that no player was found."""
    image = np.zeros((1, 1000, 3), np.uint8)
    return [
        FrameReading(image, time_s, () if reading is None else (reading,))
        for reading, time_s in zip(readings, times_s, strict=True)
    ]


def shifted(image: Image, right: int) -> Image:
    """Return the image shifted to the right."""
    return np.roll(image, right, axis=1)


def poses(reading: FrameReading) -> list[str]:
    return [str(player.pose) for player in reading.players]


def hidden_until(image: Image, shown_from: int, count: int, rate: int = 10) -> list[Frame]:
    """Return frames of two players, `rate` a second; the right player is covered until frame `shown_from`."""
    hidden = without_right(image)
    return [Frame(image if number >= shown_from else hidden, number / rate) for number in range(count)]


def frame_from(frames: list[Frame]) -> Callable[[float], Frame | None]:
    """Return a function of the first frame that is not older than a time."""
    return lambda time_s: next((frame for frame in frames if frame.time_s >= time_s - 1e-6), None)


WINDOW = Window(cue_s=1.0, start_s=0.8, end_s=1.6, watched_until_s=1.6, step_s=0.1, tongue_s=0.2)


def without_right(image: Image, from_px: int = 640) -> Image:
    """Return the image with everything right of a column covered."""
    hidden = image.copy()
    hidden[:, from_px:] = 128
    return hidden
