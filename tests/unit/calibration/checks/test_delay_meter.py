"""The delay of a simulated camera is measured to 0.15 s by a pattern or by claps."""

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from bunnymoose_cv.calibration.checks.delay_meter import BIT_S, BITS, DelayMeter, clap_times_s
from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.capture.sound import Sound

LARGEST_ERROR_S = 0.15
RATE = 16000
BEGAN_S = 1234.5
WATCHED_S = 13.0
Scene = Callable[[float], Image]


def frames(scene: Scene, delay_s: float, random: np.random.Generator) -> Iterator[tuple[Image, float]]:
    """Yield frames of a network camera, 12 to 30 a second, with jitter, noise and varying exposure."""
    rate = random.uniform(12, 30)
    for time_s in np.arange(BEGAN_S, BEGAN_S + WATCHED_S, 1 / rate):
        exposure = 1 + 0.1 * np.sin(time_s)
        image = scene(time_s) * exposure + random.normal(0, 6, (90, 160, 3))
        yield np.clip(image, 0, 255).astype(np.uint8), time_s + delay_s + random.uniform(0, 0.03)


def is_lit(time_s: float) -> bool:
    """Return whether the pattern of delay.js is light at a time of `time.monotonic()`."""
    return BITS[int(time_s // BIT_S) % len(BITS)] == "1"


def screen(random: np.random.Generator) -> Scene:
    """Return a scene with a hand-held phone whose screen shows the pattern a frame late."""
    x, y, width = (int(random.integers(*limits)) for limits in ((20, 90), (10, 40), (14, 40)))

    def scene(time_s: float) -> Image:
        image = np.full((90, 160, 3), 90, np.uint8)
        cv2.circle(image, (int(80 + 50 * np.sin(2 * time_s)), 60), 15, (150, 120, 110), -1)  # a person moves behind
        left = int(x + 1.5 * np.sin(3 * time_s))
        grey = 200 if is_lit(time_s - 0.02) else 60
        cv2.rectangle(image, (left, y), (left + width, y + 2 * width), (grey, grey, grey), -1)
        return image

    return scene


def clapping(claps_s: list[float]) -> Scene:
    """Return a scene with hands that close in 0.15 s and open in 0.25 s at each clap."""

    def scene(time_s: float) -> Image:
        apart = min([1.0, *(max((clap_s - time_s) / 0.15, (time_s - clap_s) / 0.25) for clap_s in claps_s)])
        image = np.full((90, 160, 3), 90, np.uint8)
        for way in (-1, 1):
            cv2.circle(image, (int(80 + way * (7 + 14 * max(0.0, apart))), 50), 6, (150, 170, 220), -1)
        return image

    return scene


def heard(claps_s: list[float], random: np.random.Generator) -> Sound:
    samples = random.normal(0, 30, round(WATCHED_S * RATE))
    for clap_s in claps_s:
        first = round((clap_s - BEGAN_S) * RATE)
        samples[first : first + 1600] += random.normal(0, 9000, 1600) * np.exp(-np.arange(1600) / 300)
    return Sound(samples.astype(np.int16), RATE, BEGAN_S)


@pytest.mark.parametrize("number", range(10))
def test_the_pattern_on_a_screen_gives_the_delay(number: int) -> None:
    random = np.random.default_rng(number)
    delay_s = random.uniform(0, 3.5)
    meter = DelayMeter()
    for image, arrival_s in frames(screen(random), delay_s, random):
        meter.see(image, arrival_s)
    assert meter.delay_by_pattern() == pytest.approx(delay_s, abs=LARGEST_ERROR_S)


@pytest.mark.parametrize("number", range(10))
def test_claps_heard_and_seen_give_the_delay(number: int) -> None:
    random = np.random.default_rng(number)
    delay_s = random.uniform(0, 3.5)
    claps_s = (BEGAN_S + 2.5 + np.cumsum([0, *random.uniform(0.5, 1.8, 4)])).tolist()
    meter = DelayMeter()
    for image, arrival_s in frames(clapping(claps_s), delay_s, random):
        meter.see(image, arrival_s)
    assert meter.delay_by_claps(heard(claps_s, random)) == pytest.approx(delay_s, abs=LARGEST_ERROR_S)
    assert meter.delay_by_pattern() is None


@pytest.mark.parametrize("number", range(5))
def test_motion_alone_gives_no_delay(number: int) -> None:
    random = np.random.default_rng(number)
    meter = DelayMeter()
    for image, arrival_s in frames(clapping((BEGAN_S + random.uniform(0, WATCHED_S, 8)).tolist()), 1.0, random):
        meter.see(image, arrival_s)
    assert meter.delay_by_pattern() is None
    assert meter.delay_by_claps(None) is None
    assert meter.delay_by_claps(heard((BEGAN_S + random.uniform(1, WATCHED_S - 1, 4)).tolist(), random)) is None


def test_evenly_spaced_claps_are_not_trusted() -> None:
    random = np.random.default_rng(1)
    claps_s = [BEGAN_S + 0.5 * beat for beat in range(2, 25)]
    meter = DelayMeter()
    for image, arrival_s in frames(clapping(claps_s), 1.2, random):
        meter.see(image, arrival_s)
    assert meter.delay_by_claps(heard(claps_s, random)) is None


def test_loud_sounds_are_timed_by_their_onset() -> None:
    claps_s = [BEGAN_S + 3.0, BEGAN_S + 3.8, BEGAN_S + 5.1]
    assert clap_times_s(heard(claps_s, np.random.default_rng(1))) == pytest.approx(claps_s, abs=0.03)
    assert clap_times_s(Sound(np.zeros(8000, np.int16), 8000)) == []


def test_pattern_flashes_at_most_three_times_a_second() -> None:
    """Faster flashes are dangerous to people with photosensitive epilepsy; a flash is light and dark."""
    assert 1 / (2 * BIT_S) <= 3
