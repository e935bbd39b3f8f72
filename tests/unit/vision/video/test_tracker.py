"""Players followed from frame to frame: searches, glances in turn, and as few frames around a cue as verdicts need."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import islice, pairwise

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.dimensions import fit_image
from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision import pipeline
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
from bunnymoose_cv.vision.tongue import tongue_cascade as tongue
from bunnymoose_cv.vision.tongue.mouth_crop import CROPS, MOUTH, MouthPlace
from bunnymoose_cv.vision.video.seats import people_of
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.vision.video.window import Window
from tests.unit.vision.video.made_readings import WINDOW, frame_from, hidden_until, poses, shifted, without_right


@pytest.fixture
def seen_again(monkeypatch: pytest.MonkeyPatch) -> list[MouthPlace]:
    """Notes where mouths go through the second stage; every mouth would."""
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
    """Times of the frames that are searched, as they come."""
    times_s: list[float] = []
    read = reader.read

    def note(image: Image, time_s: float) -> FrameReading:
        times_s.append(time_s)
        return read(image, time_s)

    monkeypatch.setattr(reader, "read", note)
    return times_s


def two_seconds_of(reading: FrameReading) -> list[Frame]:
    """Return frames of two seconds that show the same."""
    return [Frame(reading.image, number / 10) for number in range(20)]


def glances_at(tracker: Tracker, images: Sequence[Image]) -> list[FrameReading]:
    """Glance at images, of which the last one shows up twice since its first glance is still in flight."""
    frames = [Frame(image, number / 10) for number, image in enumerate([*images, images[-1]])]
    return [*dict.fromkeys(tracker.read_quick(frame) for frame in frames)]


def is_at(place: PlayerReading) -> Callable[[PlayerReading], bool]:
    """Return a predicate of players whose face is where one was read."""
    return lambda each: each.face.intersection_over_smaller(place.face) > 0.5


@pytest.mark.parametrize("glancing", [False, True])
def test_a_player_who_leans_is_followed(reader: Reader, party: FrameReading, *, glancing: bool) -> None:
    """A glance lets a head rest for as long as the face is about there."""
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


def test_of_frames_read_together_every_third_is_looked_at_patiently(
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


def test_who_is_hidden_is_missed_and_found_again(reader: Reader, party: FrameReading) -> None:
    hidden = without_right(party.image)
    tracker = Tracker(reader, 2)
    seen = [
        len(tracker.read(Frame(image, time_s)).players)
        for image, time_s in ((party.image, 0.0), (hidden, 0.1), (party.image, 0.2))
    ]
    assert seen == [2, 1, 2]


def test_who_comes_later_is_searched_for(reader: Reader, party: FrameReading) -> None:
    hidden = without_right(party.image)
    tracker = Tracker(reader, 2)
    tracker.read(Frame(hidden, 0.0))
    assert len(tracker.read(Frame(party.image, TRACKER.search_again_s / 2)).players) == 1
    assert len(tracker.read(Frame(party.image, TRACKER.search_again_s)).players) == 2


@pytest.mark.parametrize("seen_px", [0, 640])
def test_one_lost_or_all_lost_are_searched_for_as_soon(
    reader: Reader, party: FrameReading, searched: list[float], seen_px: int
) -> None:
    hidden = without_right(party.image, seen_px)
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


def test_each_glance_looks_at_the_hands_of_one_player_in_turn(reader: Reader, party: FrameReading) -> None:
    tracker = Tracker(reader, 2)
    readings = glances_at(tracker, [party.image] * 5)
    anew = [
        {after.seat for before, after in zip(*pair, strict=True) if after.headgear is not before.headgear}
        for pair in pairwise(reading.players for reading in readings)
    ]
    assert anew == [{1}, {2}, {1}, {2}]  # the first glance has looked at both


def test_each_glance_locates_one_head_of_a_table_that_rests(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    demo = Clip(bundled("fixtures/demo.mp4"), "the demo clip")
    looked_for: list[set[int]] = []

    def note(_: Image, heads: Sequence[Head], __: Workers, still: Collection[Head]) -> tuple[Head, ...]:
        row = sorted(heads, key=lambda head: head.centre[0])
        looked_for.append({seat for seat, head in enumerate(row, 1) if head not in still})
        return tuple(heads)

    monkeypatch.setattr(pipeline, "follow_heads", note)
    tracker = Tracker(reader, 5)
    glances_at(tracker, [frame.image for frame in islice(demo, 6)])
    assert {len(seats) for seats in looked_for} == {1}
    assert set[int]().union(*looked_for) == {1, 2, 3, 4, 5}


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
    glances = [reading.players for reading in glances_at(tracker, images)]
    assert [player.has_moved for player, _ in glances] == [False] * 5
    assert [player.has_moved for _, player in glances] == [False, False, False, True, False]
    assert glances[-1][1].headgear[Side.LEFT].headgear is None


def test_a_look_of_long_before_the_cue_tells_nothing_of_it(reader: Reader, party: FrameReading) -> None:
    tracker = Tracker(reader, 2)
    for number in range(4):
        tracker.read_quick(Frame(party.image, number / 10 - 5))
    frames = two_seconds_of(party)
    assert tracker.read_window(frame_from(frames), WINDOW, lambda _: True).before == ()


@pytest.mark.parametrize("size", [None, (640, 320)])
def test_glances_at_other_images_tell_nothing_of_these(
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
def test_a_stream_that_changes_its_size_in_the_window_shows_the_same_players(
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


def test_the_next_glance_finds_a_newcomer_without_a_search(
    reader: Reader, party: FrameReading, searched: list[float]
) -> None:
    tracker = Tracker(reader, 2)
    frames = hidden_until(party.image, shown_from=2, count=3)
    seen = [reading.players for reading in glances_at(tracker, [frame.image for frame in frames])]
    assert [len(players) for players in seen] == [1, 1, 2]
    assert set(seen[-1][1].player.hands) == set(Side), "read at once, hands and all"
    assert searched == [0.0]


def test_the_next_glance_misses_a_player_who_has_left(reader: Reader, party: FrameReading) -> None:
    tracker = Tracker(reader, 2)
    (without,) = hidden_until(party.image, shown_from=1, count=1)
    images = [*[party.image] * 3, *[without.image] * 2]
    seen = [len(reading.players) for reading in glances_at(tracker, images)]
    assert seen == [2, 2, 2, 1, 1]


def test_readings_come_in_order_and_at_most_one_frame_late(reader: Reader, party: FrameReading) -> None:
    tracker = Tracker(reader, 2)
    times_s = [tracker.read_quick(frame).time_s for frame in two_seconds_of(party)[:5]]
    assert times_s == pytest.approx([0.0, 0.0, 0.1, 0.2, 0.3])


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
    frames = two_seconds_of(party)
    tracker = Tracker(reader, 2 if glances else None)
    for frame in frames[8 - glances : 8]:
        tracker.read_quick(frame)
    seen = tracker.read_window(frame_from(frames), WINDOW, lambda _: enough)
    assert [reading.time_s for reading in seen.frames] == pytest.approx(read_s)
    assert all(poses(reading) == poses(party) for reading in seen.frames)


def test_who_has_settled_is_carried_through_the_frames_of_the_others(reader: Reader, party: FrameReading) -> None:
    frames = two_seconds_of(party)
    first = party.players[0]
    seen = Tracker(reader).read_window(frame_from(frames), WINDOW, is_at(first))
    looked_at_s = [reading.time_s for reading in seen.frames if not reading.players[0].is_reused]
    assert looked_at_s == pytest.approx([0.7, 1.0, 1.3])
    assert not any(reading.players[1].is_reused for reading in seen.frames)
    assert len(seen.frames) == FREEZE.most_readings
    assert all(poses(reading) == poses(party) for reading in seen.frames)


def test_no_frame_is_read_for_a_bystander_in_doubt(reader: Reader, party: FrameReading) -> None:
    nearer, farther = sorted(party.players, key=lambda player: player.player.head.eye_distance, reverse=True)
    frames = two_seconds_of(party)
    tracker = Tracker(reader, 1)
    for frame in frames[2:8]:
        tracker.read_quick(frame)
    seen = tracker.read_window(frame_from(frames), WINDOW, is_at(nearer))
    assert len(seen.frames) == 1
    assert any(map(is_at(farther), seen.frames[0].players))


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
