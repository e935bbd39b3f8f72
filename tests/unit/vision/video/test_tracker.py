"""Tracking of players through frames: searches, glances in turn, and as few frames around a cue as needed."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.image_geometry import fit_image
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision import pipeline, tongue
from bunnymoose_cv.vision import reader as reader_module
from bunnymoose_cv.vision.effort import SCHEDULE, Effort
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.geometry import CropSpec
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.pipeline import run_image_stages
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from bunnymoose_cv.vision.settings import FACES, FREEZE, TRACKER, TongueThresholds
from bunnymoose_cv.vision.stages import FrameState, ImageTools
from bunnymoose_cv.vision.tongue import CROPS, MOUTH, MouthPlace
from bunnymoose_cv.vision.video import tracker as tracker_module
from bunnymoose_cv.vision.video.seats import people_of
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.vision.video.window import Window
from tests.unit.vision.video.made_readings import WINDOW, frame_from, hidden_until, poses, shifted, without_right


@pytest.fixture(autouse=True)
def finished_glances(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Wait for the glances in flight at the end of each test; the recorders of the next one would count them."""
    pools: list[ThreadPoolExecutor] = []

    def open_pool(threads: int, name: str) -> ThreadPoolExecutor:
        pools.append(ThreadPoolExecutor(threads, name))
        return pools[-1]

    monkeypatch.setattr(tracker_module, "ThreadPoolExecutor", open_pool)
    yield
    for pool in pools:
        pool.shutdown()


@pytest.fixture
def seen_again(monkeypatch: pytest.MonkeyPatch) -> list[MouthPlace]:
    """Record the mouths that reach the second stage, which every mouth would."""
    places: list[MouthPlace] = []
    cut = MouthPlace.cut

    def note(place: MouthPlace, image: Image, spec: CropSpec = MOUTH) -> Image:
        if spec is not CROPS[0]:
            places.append(place)
        return cut(place, image, CROPS[0])

    monkeypatch.setattr(MouthPlace, "cut", note)
    monkeypatch.setattr(tongue, "TONGUE", TongueThresholds(doubtful=(0.0, 1.0)))
    monkeypatch.setattr(tongue, "CROPS", CROPS[:2])
    return places


@pytest.fixture
def searched(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Times of the searched frames, in order."""
    times_s: list[float] = []
    read = reader.read

    def note(image: Image, time_s: float) -> FrameReading:
        times_s.append(time_s)
        return read(image, time_s)

    monkeypatch.setattr(reader, "read", note)
    return times_s


def two_seconds_of(reading: FrameReading) -> list[Frame]:
    """Return equal frames for two seconds."""
    return [Frame(reading.image, number / 10) for number in range(20)]


def glances_at(tracker: Tracker, images: Sequence[Image]) -> list[FrameReading]:
    """Glance at images; the last one is repeated because its first glance is still in flight."""
    frames = [Frame(image, number / 10) for number, image in enumerate([*images, images[-1]])]
    return [*dict.fromkeys(tracker.read_quick(frame) for frame in frames)]


def is_at(place: PlayerReading) -> Callable[[PlayerReading], bool]:
    """Return a predicate for players whose face is at the place of another reading."""
    return lambda player: player.face.intersection_over_smaller(place.face) > 0.5


@pytest.mark.parametrize("glancing", [False, True])
def test_leaning_player_is_followed(reader: Reader, party: FrameReading, *, glancing: bool) -> None:
    """A glance keeps a head while the face stays near its place."""
    tracker = Tracker(reader, 2)
    images = [shifted(party.image, 12 * number) for number in range(5)]
    if glancing:
        readings = glances_at(tracker, images)
    else:
        readings = [tracker.read(Frame(image, number / 10)) for number, image in enumerate(images)]
    assert [poses(reading) for reading in readings] == [poses(party)] * 5
    faces = [[player.face.centre[0] for player in reading.players] for reading in readings]
    leant = np.subtract(faces, faces[0]) - 12 * np.arange(5)[:, None]
    eye_distance = max(player.player.head.eye_distance for player in party.players)
    assert np.abs(leant).max() <= (FACES.leant * eye_distance if glancing else 3)


def test_every_third_frame_of_a_batch_is_read_with_full_effort(
    reader: Reader, party: FrameReading, seen_again: list[MouthPlace], monkeypatch: pytest.MonkeyPatch
) -> None:
    efforts: list[Effort] = []

    def note(state: FrameState, tools: ImageTools, effort: Effort) -> FrameState:
        efforts.append(effort)
        return run_image_stages(state, tools, effort)

    monkeypatch.setattr(reader_module, "run_image_stages", note)
    readings = Tracker(reader, 2).read_each(
        Frame(party.image, number / 10) for number in range(2 * SCHEDULE.full_every)
    )
    for reading in readings:
        assert poses(reading) == poses(party)
    assert len(seen_again) == len(readings) * len(party.players)
    assert Counter(efforts) == {Effort.SEARCH: 1, Effort.FULL: 1, Effort.QUICK: 2 * (SCHEDULE.full_every - 1)}


def test_hidden_player_is_lost_and_found_again(reader: Reader, party: FrameReading) -> None:
    hidden = without_right(party.image)
    tracker = Tracker(reader, 2)
    seen = [
        len(tracker.read(Frame(image, time_s)).players)
        for image, time_s in ((party.image, 0.0), (hidden, 0.1), (party.image, 0.2))
    ]
    assert seen == [2, 1, 2]


def test_latecomer_is_found_by_the_next_search(reader: Reader, party: FrameReading) -> None:
    hidden = without_right(party.image)
    tracker = Tracker(reader, 2)
    tracker.read(Frame(hidden, 0.0))
    assert len(tracker.read(Frame(party.image, TRACKER.search_again_s / 2)).players) == 1
    assert len(tracker.read(Frame(party.image, TRACKER.search_again_s)).players) == 2


@pytest.mark.parametrize("seen_px", [0, 640])
def test_search_is_due_equally_soon_for_one_or_all_lost_players(
    reader: Reader, party: FrameReading, searched: list[float], seen_px: int
) -> None:
    hidden = without_right(party.image, seen_px)
    tracker = Tracker(reader, 2)
    tracker.read(Frame(party.image, 0.0))
    for number in range(1, 6):
        tracker.read(Frame(hidden, number * TRACKER.search_again_s / 2))
    assert searched[1] == TRACKER.search_again_s


@pytest.mark.parametrize("glancing", [False, True])
def test_image_of_another_size_is_searched_again(
    reader: Reader, party: FrameReading, searched: list[float], *, glancing: bool
) -> None:
    """A stream may change its size without an interruption."""
    tracker = Tracker(reader, 2)
    look = tracker.read_quick if glancing else tracker.read
    look(Frame(party.image, 0.0))
    image = np.asarray(cv2.resize(party.image, (640, 320), interpolation=cv2.INTER_AREA), np.uint8)
    smaller = look(Frame(image, 0.1))
    assert searched == [0.0, 0.1]
    middles = np.array([[player.face.centre for player in reading.players] for reading in (party, smaller)])
    assert np.abs(middles[0] / 2 - middles[1]).max() <= 3


def test_glances_at_a_still_table_read_players_again_one_by_one_after_a_while(
    reader: Reader, party: FrameReading
) -> None:
    tracker = Tracker(reader, 2)
    readings = glances_at(tracker, [party.image] * 9)
    reread = [
        {after.seat for before, after in zip(*pair, strict=True) if after.headgear is not before.headgear}
        for pair in pairwise(reading.players for reading in readings)
    ]
    assert TRACKER.glances_s == 1.0
    assert reread == [set(), set(), set(), set(), {1}, {2}, set(), set()]  # the first glance has looked at both


def test_glances_locate_at_most_one_still_head(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    image = next(iter(Clip(bundled("fixtures/demo.mp4"), "the demo clip"))).image
    looked_for: list[set[int]] = []

    def note(_: Image, heads: Sequence[Head], __: Workers, still: Collection[Head]) -> tuple[Head, ...]:
        row = sorted(heads, key=lambda head: head.centre[0])
        looked_for.append({seat for seat, head in enumerate(row, 1) if head not in still})
        return tuple(heads)

    monkeypatch.setattr(pipeline, "follow_heads", note)
    tracker = Tracker(reader, 5)
    glances_at(tracker, [image] * 11)
    assert {len(seats) for seats in looked_for} == {0, 1}
    assert set[int]().union(*looked_for) == {1, 2, 3, 4, 5}


def test_glance_does_not_run_the_second_stage(
    reader: Reader, party: FrameReading, seen_again: list[MouthPlace]
) -> None:
    """Second looks are for readings at Bam."""
    tracker = Tracker(reader, 2)
    tracker.read(Frame(party.image, 0.0))
    assert len(seen_again) == len(party.players)
    tracker.read_quick(Frame(party.image, 0.1))  # the first one reads whole
    seen_again.clear()
    for number in range(2, 2 + len(party.players)):
        assert poses(tracker.read_quick(Frame(party.image, number / 10))) == poses(party)
    assert not seen_again


def test_reading_of_a_moving_player_is_discarded(reader: Reader, party: FrameReading) -> None:
    head = party.players[1].player.head
    (left, top), size = head.at(0.6, 3.0), 3.5 * head.eye_distance
    lowered = party.image.copy()  # the left hand of the second player is gone
    lowered[round(top) : round(top + size), round(left) : round(left + size)] = lowered[:20, -20:].mean((0, 1))
    tracker = Tracker(reader, 2)
    glances = [reading.players for reading in glances_at(tracker, (*[party.image] * 3, *[lowered] * 4))]
    assert [player.has_moved for player, _ in glances] == [False] * 7
    # The first player is due before the second.
    assert [player.has_moved for _, player in glances] == [False, False, False, True, True, True, False]
    assert glances[-1][1].headgear[Side.LEFT].headgear is None


def test_glances_long_before_the_cue_are_ignored(reader: Reader, party: FrameReading) -> None:
    tracker = Tracker(reader, 2)
    for number in range(4):
        tracker.read_quick(Frame(party.image, number / 10 - 5))
    frames = two_seconds_of(party)
    assert tracker.read_window(frame_from(frames), WINDOW, lambda _: True).before == ()


@pytest.mark.parametrize("size", [None, (640, 320)])
def test_glances_are_discarded_after_forgetting_or_another_image_size(
    reader: Reader, party: FrameReading, size: tuple[int, int] | None
) -> None:
    tracker = Tracker(reader, 2)
    frames = two_seconds_of(party)
    for frame in frames[5:8]:
        tracker.read_quick(frame)
    assert tracker.read_window(frame_from(frames), WINDOW, lambda _: True).before
    if size is None:
        tracker.forget()
    else:
        smaller = np.asarray(cv2.resize(party.image, size, interpolation=cv2.INTER_AREA), np.uint8)
        tracker.read(Frame(smaller, 0.75))
    assert tracker.read_window(frame_from(frames), WINDOW, lambda _: True).before == ()


@pytest.mark.parametrize("was_looked_at", [False, True])
@pytest.mark.parametrize("players", [None, 2])
def test_players_survive_a_change_of_image_size_in_the_window(
    reader: Reader, party: FrameReading, players: int | None, *, was_looked_at: bool
) -> None:
    tracker, smaller = Tracker(reader, players), fit_image(party.image, (640, 320))
    frames = [Frame(frame.image if frame.time_s < 1.2 else smaller, frame.time_s) for frame in two_seconds_of(party)]
    if was_looked_at:
        tracker.read_quick(frames[7])
    seen = tracker.read_window(frame_from(frames), WINDOW, lambda _: False)
    assert len(seen.frames) > 2
    assert len({reading.image.shape for reading in seen.frames}) == 1
    assert len(people_of(seen.frames)) == 2


def test_next_glance_finds_a_newcomer_without_a_search(
    reader: Reader, party: FrameReading, searched: list[float]
) -> None:
    tracker = Tracker(reader, 2)
    frames = hidden_until(party.image, shown_from=2, count=3)
    seen = [reading.players for reading in glances_at(tracker, [frame.image for frame in frames])]
    assert [len(players) for players in seen] == [1, 1, 2]
    assert set(seen[-1][1].player.hands) == set(Side), "read at once, hands and all"
    assert searched == [0.0]


def test_next_glance_drops_a_player_who_has_left(reader: Reader, party: FrameReading) -> None:
    tracker = Tracker(reader, 2)
    (without,) = hidden_until(party.image, shown_from=1, count=1)
    images = [*[party.image] * 3, *[without.image] * 2]
    seen = [len(reading.players) for reading in glances_at(tracker, images)]
    assert seen == [2, 2, 2, 1, 1]


def test_readings_arrive_in_order_at_most_one_frame_late(reader: Reader, party: FrameReading) -> None:
    tracker = Tracker(reader, 2)
    times_s = [tracker.read_quick(frame).time_s for frame in two_seconds_of(party)[:5]]
    assert times_s == pytest.approx([0.0, 0.0, 0.1, 0.2, 0.3])


@pytest.mark.parametrize("players", [None, 2])
def test_player_covered_at_first_is_read_in_the_rest_of_the_window(
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
def test_window_reads_no_more_frames_than_needed(
    reader: Reader, party: FrameReading, *, glances: int, enough: bool, read_s: list[float]
) -> None:
    """A pose held before the cue needs one frame, a doubtful pose more."""
    frames = two_seconds_of(party)
    tracker = Tracker(reader, 2 if glances else None)
    for frame in frames[8 - glances : 8]:
        tracker.read_quick(frame)
    seen = tracker.read_window(frame_from(frames), WINDOW, lambda _: enough)
    assert [reading.time_s for reading in seen.frames] == pytest.approx(read_s)
    assert all(poses(reading) == poses(party) for reading in seen.frames)


def test_settled_player_is_reused_in_later_frames(reader: Reader, party: FrameReading) -> None:
    frames = two_seconds_of(party)
    first = party.players[0]
    seen = Tracker(reader).read_window(frame_from(frames), WINDOW, is_at(first))
    looked_at_s = [reading.time_s for reading in seen.frames if not reading.players[0].is_reused]
    assert looked_at_s == pytest.approx([0.7, 1.0, 1.3])
    assert not any(reading.players[1].is_reused for reading in seen.frames)
    assert len(seen.frames) == FREEZE.most_readings
    assert all(poses(reading) == poses(party) for reading in seen.frames)


def test_doubtful_bystander_causes_no_further_frames(reader: Reader, party: FrameReading) -> None:
    nearer, farther = sorted(party.players, key=lambda player: player.player.head.eye_distance, reverse=True)
    frames = two_seconds_of(party)
    tracker = Tracker(reader, 1)
    for frame in frames[2:8]:
        tracker.read_quick(frame)
    seen = tracker.read_window(frame_from(frames), WINDOW, is_at(nearer))
    assert len(seen.frames) == 1
    assert any(map(is_at(farther), seen.frames[0].players))


def test_newcomer_since_the_last_search_is_found_in_the_window(reader: Reader, party: FrameReading) -> None:
    """Heads are followed into the first frame, which lacks a player of the row."""
    tracker = Tracker(reader, 2)
    frames = hidden_until(party.image, shown_from=8, count=20)
    tracker.read(frames[7])
    seen = tracker.read_window(frame_from(frames), WINDOW, lambda _: True)
    assert [len(reading.players) for reading in seen.frames] == [2] * len(seen.frames)
    assert len(seen.frames) == 2, "no more than a row that is seen needs"


def test_player_who_appears_in_the_last_frame_is_read_in_it(reader: Reader, party: FrameReading) -> None:
    frames = hidden_until(party.image, shown_from=16, count=20)
    seen = Tracker(reader, 2).read_window(frame_from(frames), WINDOW, lambda _: True)
    assert seen.frames[-1].time_s == pytest.approx(WINDOW.end_s)
    assert [len(reading.players) for reading in seen.frames] == [1] * (len(seen.frames) - 1) + [2]
