"""Frames around a cue: as few as the verdicts need, with whoever is covered in some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.vision.settings import FREEZE
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading
from tests.unit.vision.video.streams import WINDOW, frame_from, hidden_until, poses


@pytest.mark.parametrize("players", [None, 2])
def test_who_is_covered_at_first_is_read_in_the_whole_window(
    reader: Reader, party: FrameReading, players: int | None
) -> None:
    frames = hidden_until(party.image, shown_from=2, count=6)
    seen = [len(reading.players) for reading in Tracker(reader, players).read_each(frames)]
    assert seen == [1] * 6, "the tracks alone lose the player"
    window = Window(cue_s=0.4, start_s=0.0, end_s=0.5, watched_until_s=0.5, step_s=0.1, tongue_s=0.2)
    readings = Tracker(reader, players).read_window(frame_from(frames), window, lambda _: False).frames
    assert [len(reading.players) for reading in readings] == [1, 1, 2, 2, 2, 2]
    assert all(poses(reading) == poses(party) for reading in readings[2:])


@pytest.mark.parametrize(
    ("glances", "enough", "read_s"),
    [(0, True, [0.7, 1.0, 1.3]), (6, True, [1.3]), (6, False, [1.0, 1.1, 1.2, 1.3])],
)
def test_no_more_frames_are_read_than_the_verdicts_need(
    reader: Reader, party: FrameReading, *, glances: int, enough: bool, read_s: list[float]
) -> None:
    """A pose that was held while the table waited needs one frame, one that stays in doubt some."""
    frames = [Frame(party.image, number / 10) for number in range(20)]
    tracker = Tracker(reader, 2 if glances else None)
    for frame in frames[8 - glances : 8]:
        tracker.read_quick(frame)
    seen = tracker.read_window(frame_from(frames), WINDOW, lambda _: enough)
    assert [reading.time_s for reading in seen.frames] == pytest.approx(read_s)
    assert all(poses(reading) == poses(party) for reading in seen.frames)


def test_who_has_settled_is_carried_through_the_frames_of_the_others(reader: Reader, party: FrameReading) -> None:
    frames = [Frame(party.image, number / 10) for number in range(20)]
    first = party.players[0]
    seen = Tracker(reader).read_window(
        frame_from(frames),
        WINDOW,
        lambda reading: reading.face.intersection_over_smaller(first.face) > 0.5,
    )
    looked_at_s = [reading.time_s for reading in seen.frames if not reading.players[0].is_reused]
    assert looked_at_s == pytest.approx([0.7, 1.0, 1.3])
    assert not any(reading.players[1].is_reused for reading in seen.frames)
    assert len(seen.frames) == FREEZE.most_readings
    assert all(poses(reading) == poses(party) for reading in seen.frames)


def test_no_frame_is_read_for_a_bystander_in_doubt(reader: Reader, party: FrameReading) -> None:
    nearer, farther = sorted(party.players, key=lambda player: player.player.head.eye_distance, reverse=True)
    frames = [Frame(party.image, number / 10) for number in range(20)]
    tracker = Tracker(reader, 1)
    for frame in frames[2:8]:
        tracker.read_quick(frame)
    seen = tracker.read_window(
        frame_from(frames), WINDOW, lambda each: each.face.intersection_over_smaller(nearer.face) > 0.5
    )
    assert len(seen.frames) == 1
    assert any(each.face.intersection_over_smaller(farther.face) > 0.5 for each in seen.frames[0].players)


def test_who_has_come_since_the_last_search_is_searched_for_in_the_first_frame(
    reader: Reader, party: FrameReading
) -> None:
    """Heads are followed into the first frame, of which somebody of the row is none."""
    tracker = Tracker(reader, 2)
    frames = hidden_until(party.image, shown_from=8, count=20)
    tracker.read(frames[7])
    seen = tracker.read_window(frame_from(frames), WINDOW, lambda _: True)
    assert [len(reading.players) for reading in seen.frames] == [2] * len(seen.frames)
    assert len(seen.frames) == 2, "no more than a row that is seen needs"


def test_who_comes_with_the_last_frame_is_read_in_it(reader: Reader, party: FrameReading) -> None:
    frames = hidden_until(party.image, shown_from=16, count=20)
    seen = Tracker(reader, 2).read_window(frame_from(frames), WINDOW, lambda _: True)
    assert seen.frames[-1].time_s == pytest.approx(WINDOW.end_s)
    assert [len(reading.players) for reading in seen.frames] == [1] * (len(seen.frames) - 1) + [2]
