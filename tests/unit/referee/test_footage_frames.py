"""Frames of footage by time: each once, and nobody waits again and again for a camera that gives no more."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from bunnymoose_cv.referee.footage_frames import FootageFrames
from tests.doubles import CannedFootage

IMAGE = np.zeros((2, 2, 3), np.uint8)


@dataclass(frozen=True)
class EndedFootage(CannedFootage):
    """Footage whose camera is silent from a time on; notes what was waited for in vain."""

    missed_s: list[float] = field(default_factory=list)

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        has_come = super().wait_for(time_s, patience_s)
        self.missed_s.extend([] if has_come else [time_s])
        return has_come


def test_each_time_has_the_first_frame_that_is_not_older() -> None:
    frames = FootageFrames(CannedFootage(IMAGE, 0.0, 0.5, 2.0), 0.15)
    times_s = [frame.time_s for frame in frames.each((-0.3, 0.11, 0.12, 0.45, 3.0))]
    assert times_s == pytest.approx([0.2, 0.5])  # before the footage there is none, and nothing came at 3 s


def test_after_a_frame_that_did_not_come_none_later_is_waited_for() -> None:
    footage = EndedFootage(IMAGE, 0.0, 0.5, 1.0)
    frames = FootageFrames(footage, 0.15)
    there = [frames.at(time_s) is not None for time_s in (1.2, 0.9, 1.05, 1.5, 2.0)]
    assert there == [False, True, False, False, False]
    assert footage.missed_s == [1.2, 1.05]
