"""Rounds are judged from clips as a game judges them, and counted at dealt tables."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.evaluation.metrics import Share
from bunnymoose_cv.evaluation.round_benchmark import (
    TABLES,
    RoundFigures,
    SeatResult,
    clip_line,
    judge_clips,
    read_round_set,
    rounds_line,
)
from bunnymoose_cv.referee.question import ReadPose
from bunnymoose_cv.rules.pose import Pose, Tongue, parse_headgear
from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.vision.reader import Reader

WU = parse_headgear("WU")
MOOSE, BUSH = Pose(WU, WU), Pose(None, None)
SURE = ReadPose(MOOSE, PoseProbabilities({WU: 1.0}, {WU: 1.0}, {Tongue.IN: 1.0}), ())


def seat(read: ReadPose | None, truth: Pose = MOOSE, *, moves: bool = False, found: bool = False) -> SeatResult:
    return SeatResult("steady", truth, read, moves, found)


def test_verdicts_are_counted() -> None:
    figures = RoundFigures.of([seat(SURE), seat(SURE, BUSH), seat(None, moves=True), seat(SURE, found=True)], 0.93)
    assert figures.pose_right == Share(4, 2)
    assert figures.seat_lost == Share(4, 1)
    assert figures.asked == Share(4 * TABLES, TABLES)
    assert figures.confident_wrong == Share(4 * TABLES, TABLES)
    assert figures.right_unasked == Share(4 * TABLES, 2 * TABLES)
    assert figures.movers_found == Share(1, 0)
    assert figures.called_movers == Share(3, 1)


def written_set(folder: Path, **changes: Any) -> Path:
    """A set of one clip of the evening, in which the player in the middle moves after Bam."""
    shutil.copy(bundled("fixtures/evening/moved.mp4"), folder / "moved.mp4")
    players = [
        {"seat": number, "person": 0, "twist": "steady", "pose": pose, "poses": [], "moved_s": moved, "eyes_px": at}
        for number, pose, moved, at in (
            (1, "TS TS", None, [276, 396]),
            (2, "WU WU", [2.0, 2.15], [641, 364]),
            (3, "CU CU", None, [1016, 371]),
        )
    ]
    clip = {"clip": "moved.mp4", "part": "choose", "cue_s": 1.8, "frames_a_second": 15, "passer": False}
    whole = {**clip, "size": [1280, 720], "players": players, **changes}
    (folder / "truth.json").write_text(json.dumps({"clips": [whole]}))
    return folder


def test_a_round_is_judged_beside_its_stills(reader: Reader, tmp_path: Path) -> None:
    (result,) = judge_clips(written_set(tmp_path), reader)
    assert [each.found_moving for each in result.seats] == [False, True, False]
    for seats in (result.seats, result.stills):
        assert all(each.read is not None and each.read.pose == each.truth for each in (seats[0], seats[2]))
    assert result.seats[1].read is not None
    assert result.seats[1].read.pose == MOOSE
    line = rounds_line([result], 0.93)
    assert line["figures"]["round"]["seat lost"]["count"] == 0
    assert [each["read"] for each in clip_line(result)["seats"]] == ["TS TS", "WU WU", "CU CU"]


@pytest.mark.parametrize("text", [None, "{}", '{"clips": [{"clip": "a.mp4"}]}'])
def test_a_set_that_is_none_is_told(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "truth.json").write_text(text)
    with pytest.raises(InputError, match="truth"):
        read_round_set(tmp_path)
