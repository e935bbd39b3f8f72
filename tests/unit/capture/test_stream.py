"""The clock of a stream's sound: the sender's stamps, put on our clock by the piece that was least delayed."""

from __future__ import annotations

import pytest

from bunnymoose_cv.capture.stream import _SoundClock

PIECE_S = 0.1
APART_S = 1000.0
"""Our clock is so far ahead of the sender's."""


def test_pieces_keep_the_rhythm_of_their_stamps_whatever_the_network_does() -> None:
    clock = _SoundClock()
    delays_s = [0.0, 0.3, 0.9, 0.1, 0.0, 0.5] * 10
    for number, delay_s in enumerate(delays_s):
        stamped_s = number * PIECE_S
        start_s = clock.start_s(stamped_s, PIECE_S, APART_S + stamped_s + PIECE_S + delay_s)
        assert start_s - stamped_s == pytest.approx(APART_S, abs=0.001)


@pytest.mark.parametrize("ours_runs_faster", [-0.0005, 0.0, 0.0005])
def test_a_clock_that_runs_a_little_differently_is_followed(ours_runs_faster: float) -> None:
    clock = _SoundClock()
    for number in range(3000):
        stamped_s = number * PIECE_S
        true_s = APART_S + stamped_s * (1 + ours_runs_faster)
        start_s = clock.start_s(stamped_s, PIECE_S, true_s + PIECE_S)
        assert start_s == pytest.approx(true_s, abs=0.001)


def test_stamps_that_begin_anew_are_put_on_our_clock_anew() -> None:
    clock = _SoundClock()
    clock.start_s(500.0, PIECE_S, APART_S + PIECE_S)
    assert clock.start_s(0.0, PIECE_S, APART_S + 60.0 + PIECE_S) == pytest.approx(APART_S + 60.0)
