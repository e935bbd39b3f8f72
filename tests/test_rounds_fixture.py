"""The clips of `fixtures/rounds` are of one piece with their truth, and nobody plays in both of its parts."""

from __future__ import annotations

from pathlib import Path

import av
import pytest

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import HEADGEARS, Animal, Pose, Tongue
from bunnymoose_cv.vision.video.window import Window
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


@pytest.mark.parametrize("clip", CLIPS, ids=lambda clip: str(clip.clip))
def test_the_truth_of_a_clip_is_of_one_piece(clip: ClipTruth) -> None:
    assert [seat.seat for seat in clip.players] == list(range(1, len(clip.players) + 1))
    assert [seat.eyes_px[0] for seat in clip.players] == sorted(seat.eyes_px[0] for seat in clip.players)
    assert len({seat.person for seat in clip.players}) == len(clip.players)
    for seat in clip.players:
        assert seat.pose == held_at_bam(seat, clip)
        assert seat.eyes_x_px[0] - 0.1 <= seat.eyes_px[0] <= seat.eyes_x_px[1] + 0.1
        assert (seat.moved_s is not None) == (seat.twist == "moves after Bam")
        if seat.moved_s is not None:
            assert window(clip).end_s < seat.moved_s[0] < seat.moved_s[1] <= window(clip).watched_until_s
            assert Pose.parse(seat.poses[-1][1]) != Pose.parse(seat.pose)


@pytest.mark.parametrize("clip", CLIPS, ids=lambda clip: str(clip.clip))
def test_a_clip_is_as_its_truth_says_and_goes_on_while_movers_are_watched(clip: ClipTruth) -> None:
    with av.open(str(FOLDER / clip.clip)) as container:
        video = container.streams.video[0]
        assert (video.codec_context.name, video.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (video.width, video.height) == clip.size
        assert video.average_rate == clip.frames_a_second
        assert video.frames / clip.frames_a_second >= window(clip).watched_until_s
