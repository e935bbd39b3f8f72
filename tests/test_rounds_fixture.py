"""The clips of `fixtures/rounds` are of one piece with their truth, and nobody plays in both of its parts."""

from fractions import Fraction
from pathlib import Path

import pytest

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import HEADGEARS, Animal, Pose, Tongue
from bunnymoose_cv.vision.video.window import Window
from tests.fixture_media import manifest
from training.evaluate.round_benchmark import ClipTruth, SeatTruth, SetPart, read_round_set

FOLDER = Path(__file__).parent.parent / "fixtures" / "rounds"
CLIPS = read_round_set(FOLDER).clips
SEATS = [seat for clip in CLIPS for seat in clip.players]

MOST_BYTES = 90_000
"""A clip takes no more, so that the repository does not grow beyond what was saved for it."""


def window(clip: ClipTruth) -> Window:
    return Window.around(clip.cue_s, load_settings().freeze)


def test_every_clip_is_listed_and_small() -> None:
    assert sorted(clip.clip for clip in CLIPS) == sorted(file.name for file in FOLDER.glob("*.mp4"))
    assert all((FOLDER / clip.clip).stat().st_size <= MOST_BYTES for clip in CLIPS)


def test_the_set_is_as_wide_as_was_asked() -> None:
    assert len(SEATS) >= 300
    assert {len(clip.players) for clip in CLIPS} == {2, 3, 4, 5}
    assert min(clip.frames_a_second for clip in CLIPS) == 10
    assert max(clip.frames_a_second for clip in CLIPS) == 30
    assert any(clip.passer for clip in CLIPS)
    assert {seat.twist for seat in SEATS} == {
        "steady",
        "early",
        "late",
        "changed mind",
        "tongue for a blink",
        "turns the head",
        "reaches across a neighbour",
        "stands up",
        "moves after Bam",
    }


def test_all_headgears_and_animals_and_tongues_are_shown() -> None:
    shown = [Pose.parse(seat.pose) for seat in SEATS]
    assert {headgear for pose in shown for headgear in (pose.left, pose.right)} >= set(HEADGEARS)
    assert {pose.animal for pose in shown} == set(Animal)
    assert {pose.tongue for pose in shown} == set(Tongue)


def test_nobody_plays_in_both_parts_and_a_third_is_only_reported() -> None:
    people = {part: {seat.person for clip in CLIPS if clip.part is part for seat in clip.players} for part in SetPart}
    assert not people[SetPart.CHOOSE] & people[SetPart.REPORT]
    reported = sum(clip.part is SetPart.REPORT for clip in CLIPS)
    assert reported == pytest.approx(len(CLIPS) / 3, abs=1)


def held_at_bam(seat: SeatTruth, clip: ClipTruth) -> str:
    """The pose that a seat comes to hold in the window."""
    return [pose for from_s, pose in seat.poses if from_s <= window(clip).end_s][-1]


def test_the_truth_of_every_clip_is_of_one_piece() -> None:
    for clip in CLIPS:
        assert [seat.seat for seat in clip.players] == list(range(1, len(clip.players) + 1)), clip.clip
        eyes_px = [seat.eyes_px[0] for seat in clip.players]
        assert eyes_px == sorted(eyes_px), clip.clip
        assert len({seat.person for seat in clip.players}) == len(clip.players), clip.clip
        for seat in clip.players:
            check_seat(seat, clip)


def check_seat(seat: SeatTruth, clip: ClipTruth) -> None:
    where = f"{clip.clip}, seat {seat.seat}"
    assert seat.pose == held_at_bam(seat, clip), where
    assert seat.eyes_x_px[0] - 0.1 <= seat.eyes_px[0] <= seat.eyes_x_px[1] + 0.1, where
    assert (seat.moved_s is not None) == (seat.twist == "moves after Bam"), where
    if seat.moved_s is not None:
        assert window(clip).end_s < seat.moved_s[0] < seat.moved_s[1] <= window(clip).watched_until_s, where
        assert Pose.parse(seat.poses[-1][1]) != Pose.parse(seat.pose), where


def test_every_clip_is_as_its_truth_says_and_goes_on_while_movers_are_watched() -> None:
    for clip in CLIPS:
        media = manifest()[f"rounds/{clip.clip}"]
        assert (media.codec, (media.width, media.height)) == ("h264 yuv420p", clip.size), clip.clip
        assert Fraction(media.rate) == clip.frames_a_second, clip.clip
        assert media.frames / clip.frames_a_second >= window(clip).watched_until_s, clip.clip
