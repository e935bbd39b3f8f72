"""Recent sound: the last seconds of one rate, while anybody listens."""

from __future__ import annotations

import numpy as np
import pytest

from bunnymoose_cv.session.recent_sound import RecentSound


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([], None),
        ([(48_000, 0.0), (48_000, 1.0)], (20, 0.0)),
        ([(48_000, 0.0), (48_000, 1.0), (48_000, 3.5)], (20, 1.0)),
        ([(44_100, 0.0), (48_000, 1.0)], (10, 1.0)),
    ],
    ids=["nothing", "together", "the oldest is forgotten", "another rate"],
)
def test_the_last_seconds_are_kept(pieces: list[tuple[int, float]], expected: tuple[int, float] | None) -> None:
    recent = RecentSound(3.0)
    recent.begin()
    for rate, time_s in pieces:
        recent.hear(np.zeros(10, np.int16), rate, time_s)
    whole = recent.whole
    assert (None if whole is None else (len(whole.samples), whole.start_s)) == expected
    assert (recent.newest is None) == (not pieces)


def test_nothing_is_kept_before_the_beginning_and_after_the_end() -> None:
    recent = RecentSound(3.0)
    recent.hear(np.zeros(10, np.int16), 48_000, 0.0)
    recent.begin()
    recent.end()
    recent.hear(np.zeros(10, np.int16), 48_000, 1.0)
    assert recent.newest is None


def test_what_was_heard_is_forgotten_when_it_begins_again() -> None:
    recent = RecentSound(3.0)
    for _ in range(2):
        recent.begin()
        assert recent.whole is None
        recent.hear(np.zeros(10, np.int16), 48_000, 0.0)
        recent.end()
        assert recent.whole is not None
