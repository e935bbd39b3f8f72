"""Glances: one player in turn, newcomers found beside, and evidence for a cue that comes soon."""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision import pipeline
from bunnymoose_cv.vision.faces.head_tracking import follow_heads
from bunnymoose_cv.vision.video.tracker import Tracker

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.nets.worker_pool import Workers
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading
    from bunnymoose_cv.vision.tongue.mouth_crop import MouthPlace
from tests.unit.vision.video.streams import WINDOW, frame_from, hidden_until, poses


def test_each_glance_looks_at_the_hands_of_one_player_in_turn(reader: Reader, party: FrameReading) -> None:
    tracker = Tracker(reader, 2)
    readings = [tracker.read_quick(Frame(party.image, number / 10)) for number in range(5)]
    anew = [
        {after.seat for before, after in zip(*pair, strict=True) if after.headgear is not before.headgear}
        for pair in pairwise(reading.players for reading in readings)
    ]
    assert anew == [{1}, {2}, {1}, {2}]  # the first glance has looked at both


def test_a_head_is_looked_for_twice_in_a_turn_of_the_row(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    demo = Clip(bundled("fixtures/demo.mp4"), "the demo clip")
    looked_for: list[set[int]] = []

    def note(image: Image, heads: Sequence[Head], workers: Workers, still: Collection[Head]) -> tuple[Head, ...]:
        row = sorted(heads, key=lambda head: head.centre[0])
        looked_for.append({seat for seat, head in enumerate(row, 1) if head not in still})
        return follow_heads(image, heads, workers, still)

    monkeypatch.setattr(pipeline, "follow_heads", note)
    tracker = Tracker(reader, 5)
    for frame in islice(demo, 6):
        tracker.read_quick(frame)
    assert looked_for == [{1, 3}, {2, 4}, {3, 5}, {4, 1}, {5, 2}]  # the first frame is searched


def test_a_glance_leaves_doubts_as_they_are(reader: Reader, party: FrameReading, seen_again: list[MouthPlace]) -> None:
    """Only what is read at Bam is worth second looks."""
    tracker = Tracker(reader, 2)
    tracker.read(Frame(party.image, 0.0))
    assert len(seen_again) == len(party.players)
    tracker.read_quick(Frame(party.image, 0.1))  # the first one reads whole
    seen_again.clear()
    for number in range(2, 2 + len(party.players)):
        assert poses(tracker.read_quick(Frame(party.image, number / 10))) == poses(party)
    assert not seen_again


def test_what_was_read_of_somebody_who_stirs_holds_no_longer(reader: Reader, party: FrameReading) -> None:
    head = party.players[1].player.head
    (left, top), size = head.at(0.6, 3.0), 3.5 * head.eye_distance
    lowered = party.image.copy()  # the hand at the second one's left is gone
    lowered[round(top) : round(top + size), round(left) : round(left + size)] = lowered[:20, -20:].mean((0, 1))
    tracker = Tracker(reader, 2)
    images = (*[party.image] * 3, *[lowered] * 2)  # it is the first one's turn when the hand goes
    glances = [tracker.read_quick(Frame(image, number / 10)).players for number, image in enumerate(images)]
    assert [player.has_moved for player, _ in glances] == [False] * 5
    assert [player.has_moved for _, player in glances] == [False, False, False, True, False]
    assert glances[-1][1].headgear[Side.LEFT].headgear is None


def test_a_look_of_long_before_the_cue_tells_nothing_of_it(reader: Reader, party: FrameReading) -> None:
    tracker = Tracker(reader, 2)
    for number in range(4):
        tracker.read_quick(Frame(party.image, number / 10 - 5))
    frames = [Frame(party.image, number / 10) for number in range(20)]
    assert tracker.read_window(frame_from(frames), WINDOW, lambda _: True).before == ()


@pytest.mark.parametrize("size", [None, (640, 320)])
def test_glances_at_other_images_tell_nothing_of_these(
    reader: Reader, party: FrameReading, size: tuple[int, int] | None
) -> None:
    tracker = Tracker(reader, 2)
    frames = [Frame(party.image, number / 10) for number in range(20)]
    for frame in frames[5:8]:
        tracker.read_quick(frame)
    assert tracker.read_window(frame_from(frames), WINDOW, lambda _: True).before
    if size is None:
        tracker.forget()
    else:
        smaller = np.asarray(cv2.resize(party.image, size, interpolation=cv2.INTER_AREA), np.uint8)
        tracker.read(Frame(smaller, 0.75))
    assert tracker.read_window(frame_from(frames), WINDOW, lambda _: True).before == ()


@pytest.mark.parametrize("rate", [5, 10, 20])
def test_tiles_beside_the_glances_find_a_newcomer_within_a_second_without_a_search(
    reader: Reader, party: FrameReading, searched: list[float], rate: int
) -> None:
    """However many glances a second a computer manages."""
    tracker = Tracker(reader, 2)
    frames = hidden_until(party.image, shown_from=1, count=rate + 2, rate=rate)
    seen = [tracker.read_quick(frame).players for frame in frames]
    assert (len(seen[0]), len(seen[-1])) == (1, 2)
    newcomer = next(players for players in seen if len(players) > 1)[1]
    assert set(newcomer.player.hands) == set(Side), "read at once, hands and all"
    assert searched == [0.0]
