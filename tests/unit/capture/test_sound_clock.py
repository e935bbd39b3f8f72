"""Sender's stamps on our clock: the least delayed piece tells the offset, a jump back begins anew."""

from __future__ import annotations

import pytest

from bunnymoose_cv.capture.sound_clock import SoundClock


@pytest.mark.parametrize(
    ("came_s", "begins_s"),
    [
        ([101.0, 102.0, 103.0], [100.0, 101.0, 102.0]),
        ([101.0, 104.5, 104.6], [100.0, 101.0, 102.0]),  # stalled, then in a hurry
        ([103.0, 103.2, 103.4], [102.0, 102.2, 102.4]),  # the first came late
    ],
    ids=["even", "stalled", "late at first"],
)
def test_sound_keeps_the_senders_pace(came_s: list[float], begins_s: list[float]) -> None:
    clock = SoundClock()
    begun = [clock.start_s(7.0 + number, 1.0, came) for number, came in enumerate(came_s)]
    assert begun == pytest.approx(begins_s, abs=0.01)


def test_stamps_that_jump_back_begin_anew() -> None:
    clock = SoundClock()
    clock.start_s(500.0, 1.0, 101.0)
    assert clock.start_s(3.0, 1.0, 110.0) == pytest.approx(109.0)
