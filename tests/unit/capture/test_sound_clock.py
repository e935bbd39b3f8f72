"""Sender's stamps on our clock: the least delayed piece tells the offset, a jump back begins anew."""

from __future__ import annotations

import pytest

from bunnymoose_cv.capture.sound_clock import SoundClock

PIECE_S = 0.1
APART_S = 1000.0
"""Our clock is so far ahead of the sender's."""


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


def test_pieces_keep_the_rhythm_of_their_stamps_whatever_the_network_does() -> None:
    clock = SoundClock()
    delays_s = [0.0, 0.3, 0.9, 0.1, 0.0, 0.5] * 10
    for number, delay_s in enumerate(delays_s):
        stamped_s = number * PIECE_S
        start_s = clock.start_s(stamped_s, PIECE_S, APART_S + stamped_s + PIECE_S + delay_s)
        assert start_s - stamped_s == pytest.approx(APART_S, abs=0.001)


@pytest.mark.parametrize("ours_runs_faster", [-0.0005, 0.0, 0.0005])
def test_a_clock_that_runs_a_little_differently_is_followed(ours_runs_faster: float) -> None:
    clock = SoundClock()
    for number in range(3000):
        stamped_s = number * PIECE_S
        true_s = APART_S + stamped_s * (1 + ours_runs_faster)
        start_s = clock.start_s(stamped_s, PIECE_S, true_s + PIECE_S)
        assert start_s == pytest.approx(true_s, abs=0.001)
