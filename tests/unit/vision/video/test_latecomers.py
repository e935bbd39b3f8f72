"""Latecomers of one frame are read in those before and after it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.vision.effort import Effort
from bunnymoose_cv.vision.readings import FrameReading
from bunnymoose_cv.vision.video.window_reader import read_latecomers
from tests.unit.vision.video.made_readings import MakeReading, frames_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.vision.faces.head import Head


@pytest.mark.parametrize("start", [0, 2, 4])
def test_heads_found_in_one_frame_are_followed_both_ways(make_reading: MakeReading, start: int) -> None:
    known, late = make_reading(x=300), make_reading(x=700)
    efforts: dict[float, Effort] = {}

    class Follow:
        """A reader that finds every head where it is looked for."""

        def follow(self, frame: Frame, heads: Sequence[Head], effort: Effort) -> FrameReading:
            efforts[frame.time_s] = effort
            players = (replace(known, player=replace(known.player, head=head)) for head in heads)
            return FrameReading(frame.image, frame.time_s, tuple(players))

    reader: Any = Follow()
    readings = frames_of([known] * 5, [0.0, 1.0, 2.0, 3.0, 4.0])
    merged = read_latecomers(reader, readings, start, [late.player.head])
    assert [reading.heads for reading in merged] == [(known.player.head, late.player.head)] * 5
    full = [time_s for time_s, effort in sorted(efforts.items()) if effort is Effort.FULL]
    assert full == [time_s for time_s in range(5) if abs(time_s - start) % 3 == 0]


def test_a_frame_whose_reading_has_the_head_is_kept(make_reading: MakeReading) -> None:
    reading = make_reading()
    reader: Any = None
    readings = frames_of([reading] * 3, [0.0, 1.0, 2.0])
    assert read_latecomers(reader, readings, 1, [reading.player.head]) == tuple(readings)
