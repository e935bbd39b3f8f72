"""Memory of the heads of one stream: what is new to it, and when a search is due."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.vision.effort import Effort
from bunnymoose_cv.vision.settings import TRACKER
from bunnymoose_cv.vision.video.head_follower import HeadFollower
from tests.unit.vision.video.made_readings import MakeReading, frames_of

if TYPE_CHECKING:
    from bunnymoose_cv.vision.readings import FrameReading


def follower_of(reading: FrameReading, players: int) -> HeadFollower:
    """A follower that has searched the frame of a reading."""
    nobody_reads: Any = None
    follower = HeadFollower(nobody_reads, players)
    follower.begin(Frame(reading.image, reading.time_s), Effort.FULL)
    follower.remember(reading)
    return follower


@pytest.mark.parametrize(
    ("time_s", "height", "new", "due"),
    [
        (5.1, 1, False, False),
        (5.1, 2, True, True),
        (4.9, 1, True, True),
        (5.0 + TRACKER.search_again_s, 1, False, False),
        (5.0 + TRACKER.newcomers_s, 1, True, True),
    ],
    ids=["soon", "another size", "an earlier time", "a second later", "much later"],
)
def test_images_are_new_or_searched_by_size_and_time(
    make_reading: MakeReading, time_s: float, height: int, *, new: bool, due: bool
) -> None:
    follower = follower_of(frames_of([make_reading()], [5.0])[0], players=1)
    frame = Frame(np.zeros((height, 1000, 3), np.uint8), time_s)
    assert (follower.is_new(frame), follower.is_search_due(frame)) == (new, due)


def test_who_is_missing_is_searched_for_sooner(make_reading: MakeReading) -> None:
    follower = follower_of(frames_of([make_reading()], [5.0])[0], players=2)
    due = [
        follower.is_search_due(Frame(np.zeros((1, 1000, 3), np.uint8), 5.0 + after_s * TRACKER.search_again_s))
        for after_s in (0.9, 1.0)
    ]
    assert due == [False, True]
