"""People of one stream: tracking through frames, seats, due searches, and latecomers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.vision.detections import FaceLandmarks
from bunnymoose_cv.vision.effort import Effort
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.hands.assignment import Player
from bunnymoose_cv.vision.headgear.headgear_reading import NO_HAND, HeadgearReading
from bunnymoose_cv.vision.motion import has_moved
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from bunnymoose_cv.vision.settings import TRACKER
from bunnymoose_cv.vision.tongue import TongueReading
from bunnymoose_cv.vision.video.seats import Places, people_of, row_of, seat
from bunnymoose_cv.vision.video.stream_memory import HeadFollower
from bunnymoose_cv.vision.video.window_reader import read_latecomers
from tests.unit.vision.made_heads import make_head
from tests.unit.vision.video.made_readings import frames_of, make_reading

WIDTH = 1000
NOTHING = HeadgearReading(NO_HAND, (), ())
TONGUE_IN = TongueReading(Tongue.IN, 1.0, unclear=False, probability_out=0.0)

Face: TypeAlias = tuple[float, float] | tuple[float, float, float]
"""Position from the left, eye distance and optional height above the row, in pixels."""


def make_frame(time_s: float, *faces: Face) -> FrameReading:
    """Make a frame with faces."""
    players = []
    for number, (x, eyes, *above) in enumerate(sorted(faces), 1):
        head = make_head(x, eyes=eyes)
        higher = np.array([0, sum(above), 0], np.float32)
        head = Head(FaceLandmarks(head.face.points - higher))
        players.append(PlayerReading(Player(number, head), dict.fromkeys(Side, NOTHING), TONGUE_IN))
    return FrameReading(np.zeros((1, WIDTH, 3), np.uint8), time_s, tuple(players))


def test_people_are_tracked_while_they_lean_and_vanish() -> None:
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


def test_frame_that_was_glanced_at_and_read_counts_once() -> None:
    glanced, read = make_frame(0.2, (300, 40)), make_frame(0.2, (300, 40))
    before = [(0.1, glanced.players[0]), (0.2, glanced.players[0])]
    (person,) = people_of([read, make_frame(0.3, (300, 40))], before)
    assert [time_s for time_s, _ in person.samples] == [0.1, 0.2, 0.3]
    assert person.samples[1][1] is read.players[0]


@pytest.mark.parametrize(
    ("faces", "seats", "places", "expected"),
    [
        pytest.param([(200, 40), (500, 40), (800, 40)], 3, None, [200, 500, 800], id="everybody"),
        pytest.param([(200, 40), (800, 40)], 3, None, [200, None, 800], id="the middle seat is empty"),
        pytest.param([(200, 40), (500, 40)], 3, None, [200, 500, None], id="the last seat is empty"),
        pytest.param([(500, 40), (800, 40)], 3, None, [None, 500, 800], id="the first seat is empty"),
        pytest.param(
            [(120, 40), (310, 40), (690, 40), (880, 40)],
            5,
            None,
            [120, 310, None, 690, 880],
            id="the middle of five is empty",
        ),
        pytest.param([(480, 40)], 3, None, [None, 480, None], id="one of three"),
        pytest.param([], 2, None, [None, None], id="nobody"),
        pytest.param([(200, 40), (500, 40)], 3, (0.03, 0.21, 0.48), [None, 200, 500], id="seats known from before"),
        pytest.param(
            [(200, 40), (350, 25, 60), (500, 40), (800, 40)],
            3,
            None,
            [200, 500, 800],
            id="a smaller one behind the row",
        ),
        pytest.param(
            [(200, 40), (350, 39, 160), (500, 40), (800, 40)],
            3,
            None,
            [200, 500, 800],
            id="one standing behind the row",
        ),
        pytest.param(
            [(200, 40), (350, 40), (500, 40), (800, 40)],
            3,
            (0.2, 0.5, 0.8),
            [200, 500, 800],
            id="one where no seat is known to be",
        ),
    ],
)
def test_people_are_seated_by_their_places(
    faces: list[Face], seats: int, places: Places | None, expected: list[float | None]
) -> None:
    row = seat(people_of([make_frame(0.0, *faces)]), seats, WIDTH, places)
    assert [None if person is None else round(person.centre[0]) for person in row] == expected


def test_face_in_one_frame_of_many_is_ignored() -> None:
    frames = [make_frame(number / 10, (200, 40), (500, 40)) for number in range(5)]
    frames[2] = make_frame(0.2, (200, 40), (500, 40), (800, 40))
    row = seat(people_of(frames), 3, WIDTH, (0.2, 0.5, 0.8))
    assert [person is not None for person in row] == [True, True, False]


def test_rarely_seen_person_is_not_a_player() -> None:
    frames = [make_frame(number / 10, (500, 40), (800, 40)) for number in range(5)]
    frames[1:3] = [make_frame(number / 10, (200, 40), (500, 40), (800, 40)) for number in (1, 2)]
    people = people_of(frames)
    assert [person.share for person in people] == [0.4, 1.0, 1.0]
    assert [round(person.centre[0]) for person in row_of(people, 2)] == [500, 800]


@pytest.mark.parametrize(
    ("players", "time_s", "height", "new", "due"),
    [
        pytest.param(1, 5.1, 1, False, False, id="soon"),
        pytest.param(1, 5.1, 2, True, True, id="another size"),
        pytest.param(1, 4.9, 1, True, True, id="an earlier time"),
        pytest.param(1, 5.0 + TRACKER.search_again_s, 1, False, False, id="a second later"),
        pytest.param(1, 5.0 + TRACKER.newcomers_s, 1, True, True, id="much later"),
        pytest.param(2, 5.0 + 0.9 * TRACKER.search_again_s, 1, False, False, id="somebody is missing"),
        pytest.param(2, 5.0 + TRACKER.search_again_s, 1, False, True, id="missing for a second"),
    ],
)
def test_new_size_earlier_time_or_missing_players_trigger_a_search(
    players: int, time_s: float, height: int, *, new: bool, due: bool
) -> None:
    nobody_reads: Any = None
    follower = HeadFollower(nobody_reads, players)
    (searched,) = frames_of([make_reading()], [5.0])
    follower.begin(Frame(searched.image, searched.time_s), Effort.FULL)
    follower.remember(searched)
    frame = Frame(np.zeros((height, 1000, 3), np.uint8), time_s)
    assert (follower.is_new(frame), follower.is_search_due(frame)) == (new, due)


@pytest.mark.parametrize("start", [0, 2, 4])
def test_heads_are_followed_forwards_and_backwards(start: int) -> None:
    known, late = make_reading(x=300), make_reading(x=700)
    efforts: dict[float, Effort] = {}

    class Follow:
        """A reader that finds every head at its previous place."""

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


def test_readings_that_already_have_the_head_are_kept() -> None:
    reading = make_reading()
    reader: Any = None
    readings = frames_of([reading] * 3, [0.0, 1.0, 2.0])
    assert read_latecomers(reader, readings, 1, [reading.player.head]) == tuple(readings)


@pytest.mark.parametrize("light", [-40, 40])
def test_noise_and_changes_of_light_are_not_movement(party: FrameReading, light: int) -> None:
    """A switched lamp changes all cells equally, by twice the threshold of movement; a camera adds noise."""
    plain = np.clip(party.image, 50, 205)
    noise = np.random.default_rng(1).normal(light, 6, plain.shape)
    lit = np.clip(plain + noise, 0, 255).astype(np.uint8)
    assert not any(has_moved(plain, player.player.head, lit, player.player.head) for player in party.players)
