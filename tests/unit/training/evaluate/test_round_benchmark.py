"""Sets of rounds, and a clip judged as a game judges it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.rules.pose import Pose
from training.evaluate import round_benchmark
from training.evaluate.round_benchmark import ClipResult, SetPart, judge_clip, read_round_set
from training.evaluate.round_figures import ClipShape, RoundsShape

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading


ROUNDS = bundled("fixtures/rounds")


@pytest.mark.parametrize(
    ("found", "shift_px", "expected"),
    [(True, 0, (False, True)), (True, 900, (True, False)), (None, 0, (False, None)), (None, 900, (True, None))],
)
def test_a_move_is_found_of_a_player_who_is_not_lost(
    party: FrameReading,
    found: bool | None,  # noqa: FBT001 - a column of the table
    shift_px: float,
    expected: tuple[bool, bool | None],
) -> None:
    (clip, *_), (reading, *_) = read_round_set(ROUNDS).clips, party.players
    across = reading.player.head.centre[0] + shift_px
    truth = clip.players[0].model_copy(update={"eyes_x_px": (across, across)})
    result = round_benchmark.seat_result(truth, reading, clip, found_moving=found)
    assert (result.read is None, result.found_moving) == expected


def judged(name: str, reader: Reader) -> tuple[ClipResult, list[str]]:
    """Result of a clip, and the true poses by seat."""
    (truth,) = (clip for clip in read_round_set(ROUNDS).clips if clip.clip == name)
    return judge_clip(ROUNDS / name, truth, reader), [str(Pose.parse(seat.pose)) for seat in truth.players]


def test_a_round_with_a_mover_is_judged_beside_its_stills(reader: Reader) -> None:
    result, poses = judged("round_25.mp4", reader)
    line = json.loads(ClipShape.of(result).line())
    assert [line[seats][0]["read"] for seats in ("seats", "stills")] == [poses[0], poses[0]]
    assert [seat["found_moving"] for seat in line["seats"]] == [True, False]
    assert 0 <= line["from_cue_s"] <= 1
    figures = json.loads(RoundsShape.of([result], 0.93).line())["figures"]
    assert figures["round"]["mover found"]["rate"] == 1
    assert figures["best single frame"]["seat lost"]["count"] == 0
    assert figures["best single frame"]["mover found"] is None


def test_a_dim_face_that_stood_up_keeps_its_seat(reader: Reader) -> None:
    result, poses = judged("round_35.mp4", reader)
    assert [seat["read"] for seat in json.loads(ClipShape.of(result).line())["seats"]] == poses


def test_a_part_leaves_out_the_other() -> None:
    whole = read_round_set(ROUNDS)
    chosen, reported = (whole.of_part(part) for part in (SetPart.CHOOSE, SetPart.REPORT))
    assert whole.of_part(None) == tuple(whole.clips)
    assert sorted(clip.clip for clip in (*chosen, *reported)) == sorted(clip.clip for clip in whole.clips)
    assert {clip.part for clip in reported} == {SetPart.REPORT}


@pytest.mark.parametrize("text", [None, "{}", '{"clips": [{"clip": "a.mp4"}]}'])
def test_a_set_that_is_none_is_told(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "truth.json").write_text(text)
    with pytest.raises(InputError, match="truth"):
        read_round_set(tmp_path)
