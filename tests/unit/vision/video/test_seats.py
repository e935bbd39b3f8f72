"""Seats: the same people through frames, seats kept for those not seen, bystanders behind the row left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pytest

from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.vision.detections import FaceLandmarks
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.hands.assignment import Player
from bunnymoose_cv.vision.headgear.headgear_reading import NO_HAND, HeadgearReading
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading
from bunnymoose_cv.vision.video.seats import Places, people_of, row_of, seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.unit.vision.conftest import MakeHead

    MakeFrame = Callable[..., FrameReading]

WIDTH = 1000
NOTHING = HeadgearReading(NO_HAND, (), ())
TONGUE_IN = TongueReading(Tongue.IN, 1.0, unclear=False, probability_out=0.0)

Face: TypeAlias = tuple[float, float] | tuple[float, float, float]
"""Pixels from the left, eye distance, and pixels above the row."""


@pytest.fixture
def make_frame(make_head: MakeHead) -> MakeFrame:
    def make(time_s: float, *faces: Face) -> FrameReading:
        players = []
        for number, (x, eyes, *above) in enumerate(sorted(faces), 1):
            head = make_head(x, eyes=eyes)
            higher = np.array([0, sum(above), 0], np.float32)
            head = Head(FaceLandmarks(head.face.points - higher))
            players.append(PlayerReading(Player(number, head), dict.fromkeys(Side, NOTHING), TONGUE_IN))
        return FrameReading(np.zeros((1, WIDTH, 3), np.uint8), time_s, tuple(players))

    return make


def test_people_are_the_same_while_they_lean_and_vanish(make_frame: MakeFrame) -> None:
    frames = [
        make_frame(0.0, (300, 40), (600, 40)),
        make_frame(0.1, (330, 40)),
        make_frame(0.2, (360, 40), (600, 40)),
        make_frame(0.3, (420, 40), (590, 40), (900, 40)),
    ]
    people = people_of(frames)
    assert [[time_s for time_s, _ in person.seen] for person in people] == [
        [0.0, 0.1, 0.2, 0.3],
        [0.0, 0.2, 0.3],
        [0.3],
    ]
    assert [person.share for person in people] == [1.0, 0.75, 0.25]


def test_a_frame_that_was_glanced_at_and_read_counts_once(make_frame: MakeFrame) -> None:
    glanced, read = make_frame(0.2, (300, 40)), make_frame(0.2, (300, 40))
    before = [(0.1, glanced.players[0]), (0.2, glanced.players[0])]
    (person,) = people_of([read, make_frame(0.3, (300, 40))], before)
    assert [time_s for time_s, _ in person.samples] == [0.1, 0.2, 0.3]
    assert person.samples[1][1] is read.players[0]


@pytest.mark.parametrize(
    ("faces", "seats", "places", "expected"),
    [
        ([(200, 40), (500, 40), (800, 40)], 3, None, [200, 500, 800]),
        ([(200, 40), (800, 40)], 3, None, [200, None, 800]),
        ([(200, 40), (500, 40)], 3, None, [200, 500, None]),
        ([(500, 40), (800, 40)], 3, None, [None, 500, 800]),
        ([(120, 40), (310, 40), (690, 40), (880, 40)], 5, None, [120, 310, None, 690, 880]),
        ([(480, 40)], 3, None, [None, 480, None]),
        ([], 2, None, [None, None]),
        ([(200, 40), (500, 40)], 3, (0.03, 0.21, 0.48), [None, 200, 500]),
        ([(200, 40), (350, 25, 60), (500, 40), (800, 40)], 3, None, [200, 500, 800]),
        ([(200, 40), (350, 39, 160), (500, 40), (800, 40)], 3, None, [200, 500, 800]),
        ([(200, 40), (350, 40), (500, 40), (800, 40)], 3, (0.2, 0.5, 0.8), [200, 500, 800]),
    ],
    ids=[
        "everybody",
        "the middle seat is empty",
        "the last seat is empty",
        "the first seat is empty",
        "the middle of five is empty",
        "one of three",
        "nobody",
        "seats known from before",
        "a smaller one behind the row",
        "one standing behind the row",
        "one where no seat is known to be",
    ],
)
def test_people_take_the_seats_of_their_places(
    make_frame: MakeFrame, faces: list[Face], seats: int, places: Places | None, expected: list[float | None]
) -> None:
    row = seat(people_of([make_frame(0.0, *faces)]), seats, WIDTH, places)
    assert [None if person is None else round(person.centre[0]) for person in row] == expected


def test_a_face_in_one_frame_of_many_is_nobody(make_frame: MakeFrame) -> None:
    frames = [make_frame(number / 10, (200, 40), (500, 40)) for number in range(5)]
    frames[2] = make_frame(0.2, (200, 40), (500, 40), (800, 40))
    row = seat(people_of(frames), 3, WIDTH, (0.2, 0.5, 0.8))
    assert [person is not None for person in row] == [True, True, False]


def test_of_people_alike_the_seldom_seen_is_no_player(make_frame: MakeFrame) -> None:
    frames = [make_frame(number / 10, (500, 40), (800, 40)) for number in range(5)]
    frames[1:3] = [make_frame(number / 10, (200, 40), (500, 40), (800, 40)) for number in (1, 2)]
    people = people_of(frames)
    assert [person.share for person in people] == [0.4, 1.0, 1.0]
    assert [round(person.centre[0]) for person in row_of(people, 2)] == [500, 800]
