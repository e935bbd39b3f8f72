"""Resampling of sound: its length, its level, and tones that the new rate cannot hold."""

from __future__ import annotations

import numpy as np
import pytest

from bunnymoose_cv.capture.resampling import resampled
from bunnymoose_cv.capture.sound import LOUDEST


def tone(hertz: float, rate: int) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    return (0.5 * LOUDEST * np.sin(2 * np.pi * hertz * np.arange(rate) / rate)).astype(np.int16)


@pytest.mark.parametrize(("rate", "wanted"), [(16_000, 48_000), (44_100, 48_000), (48_000, 16_000), (48_000, 48_000)])
def test_a_tone_keeps_its_length_and_level(rate: int, wanted: int) -> None:
    sound = resampled(tone(440.0, rate), rate, wanted)
    assert sound.dtype == np.float32
    assert len(sound) == pytest.approx(wanted, abs=20)
    assert np.abs(sound[200:-200]).max() == pytest.approx(0.5, abs=0.01)


def test_a_tone_above_the_new_rates_half_is_filtered_out() -> None:
    assert np.abs(resampled(tone(11_000.0, 48_000), 48_000, 16_000)[200:-200]).max() < 0.01


def test_no_sound_stays_none() -> None:
    assert resampled(np.zeros(0, np.int16), 48_000, 16_000).shape == (0,)
