"""Players followed from frame to frame: the same readings as of a search; somebody hidden is found again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.vision import pipeline
from bunnymoose_cv.vision.effort import SCHEDULE
from bunnymoose_cv.vision.hands.hand_search import find_hands
from bunnymoose_cv.vision.settings import TRACKER
from bunnymoose_cv.vision.video.tracker import Tracker

if TYPE_CHECKING:
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading
    from bunnymoose_cv.vision.tongue.mouth_crop import MouthPlace
from tests.unit.vision.video.streams import poses, shifted


@pytest.mark.parametrize("glancing", [False, True])
def test_whoever_leans_is_followed(reader: Reader, party: FrameReading, *, glancing: bool) -> None:
    """Of two players a glance looks for both heads."""
    tracker = Tracker(reader, 2)
    look = tracker.read_quick if glancing else tracker.read
    faces = []
    for number in range(5):
        reading = look(Frame(shifted(party.image, 12 * number), number / 10))
        assert poses(reading) == poses(party)
        faces.append([player.face.centre[0] for player in reading.players])
    leant = np.subtract(faces, faces[0]) - 12 * np.arange(5)[:, None]
    assert np.abs(leant).max() <= 3


def test_of_frames_read_together_every_third_is_looked_at_patiently(
    reader: Reader, party: FrameReading, seen_again: list[MouthPlace], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks_for_hands: list[bool] = []

    def note(*arguments: Any, closer_crops: bool) -> list[HandLandmarks]:
        looks_for_hands.append(closer_crops)
        return find_hands(*arguments, closer_crops=closer_crops)

    monkeypatch.setattr(pipeline, "find_hands", note)
    readings = Tracker(reader, 2).read_each(
        Frame(party.image, number / 10) for number in range(2 * SCHEDULE.full_every)
    )
    for reading in readings:
        assert poses(reading) == poses(party)
    assert len(seen_again) == len(readings) * len(party.players)
    assert sorted(looks_for_hands) == [False] * 2 * (SCHEDULE.full_every - 1) + [True] * 2


def test_who_is_hidden_is_missed_and_found_again(reader: Reader, party: FrameReading) -> None:
    hidden = party.image.copy()
    hidden[:, 640:] = 128
    tracker = Tracker(reader, 2)
    seen = [
        len(tracker.read(Frame(image, time_s)).players)
        for image, time_s in ((party.image, 0.0), (hidden, 0.1), (party.image, 0.2))
    ]
    assert seen == [2, 1, 2]


def test_who_comes_later_is_searched_for(reader: Reader, party: FrameReading) -> None:
    hidden = party.image.copy()
    hidden[:, 640:] = 128
    tracker = Tracker(reader, 2)
    tracker.read(Frame(hidden, 0.0))
    assert len(tracker.read(Frame(party.image, TRACKER.search_again_s / 2)).players) == 1
    assert len(tracker.read(Frame(party.image, TRACKER.search_again_s)).players) == 2


@pytest.mark.parametrize("seen_px", [0, 640])
def test_one_lost_or_all_lost_are_searched_for_as_soon(
    reader: Reader, party: FrameReading, searched: list[float], seen_px: int
) -> None:
    hidden = party.image.copy()
    hidden[:, seen_px:] = 128
    tracker = Tracker(reader, 2)
    tracker.read(Frame(party.image, 0.0))
    for number in range(1, 6):
        tracker.read(Frame(hidden, number * TRACKER.search_again_s / 2))
    assert searched[1] == TRACKER.search_again_s


@pytest.mark.parametrize("glancing", [False, True])
def test_a_image_of_another_size_is_searched_anew(
    reader: Reader, party: FrameReading, searched: list[float], *, glancing: bool
) -> None:
    """A stream may change its size without being lost."""
    tracker = Tracker(reader, 2)
    look = tracker.read_quick if glancing else tracker.read
    look(Frame(party.image, 0.0))
    image = np.asarray(cv2.resize(party.image, (640, 320), interpolation=cv2.INTER_AREA), np.uint8)
    smaller = look(Frame(image, 0.1))
    assert searched == [0.0, 0.1]
    middles = np.array([[player.face.centre for player in reading.players] for reading in (party, smaller)])
    assert np.abs(middles[0] / 2 - middles[1]).max() <= 3
