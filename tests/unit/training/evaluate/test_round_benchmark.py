"""Sets of rounds, judgement of a clip as in a game, figures, and JSON."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.referee.question import ReadPose
from bunnymoose_cv.rules.pose import Pose, Tongue, parse_headgear
from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from training.evaluate import round_benchmark
from training.evaluate.round_benchmark import ClipResult, SeatResult, SetPart, judge_clip, read_round_set
from training.evaluate.round_figures import TABLES, ClipShape, RoundFigures, RoundsShape

WU = parse_headgear("WU")
MOOSE, BUSH = Pose(WU, WU), Pose(None, None)
SURE = ReadPose(MOOSE, PoseProbabilities({(WU, WU): 1.0}, {Tongue.IN: 1.0}), ())


def seat(read: ReadPose | None, truth: Pose = MOOSE, *, moves: bool = False, found: bool | None = False) -> SeatResult:
    return SeatResult(1, "steady", truth, read, moves, found)


ROUNDS = bundled("fixtures/rounds")


@pytest.mark.parametrize(
    ("found", "shift_px", "expected"),
    [(True, 0, (False, True)), (True, 900, (True, False)), (None, 0, (False, None)), (None, 900, (True, None))],
)
def test_move_is_found_only_if_the_player_is_not_lost(
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
    """Return the result of a clip, and the true poses by seat."""
    (truth,) = (clip for clip in read_round_set(ROUNDS).clips if clip.clip == name)
    return judge_clip(ROUNDS / name, truth, reader), [str(Pose.parse(seat.pose)) for seat in truth.players]


def test_round_with_a_mover_is_compared_with_its_stills(reader: Reader) -> None:
    result, poses = judged("round_25.mp4", reader)
    line = json.loads(ClipShape.of(result).line())
    assert [line[seats][0]["read"] for seats in ("seats", "stills")] == [poses[0], poses[0]]
    assert [seat["found_moving"] for seat in line["seats"]] == [True, False]
    assert 0 <= line["from_cue_s"] <= 1
    figures = json.loads(RoundsShape.of([result], 0.93).line())["figures"]
    assert figures["round"]["mover found"]["rate"] == 1
    assert figures["best single frame"]["seat lost"]["count"] == 0
    assert figures["best single frame"]["mover found"] is None


def test_dim_player_who_stood_up_keeps_the_seat(reader: Reader) -> None:
    result, poses = judged("round_35.mp4", reader)
    assert [seat["read"] for seat in json.loads(ClipShape.of(result).line())["seats"]] == poses


def test_parts_of_a_set_do_not_overlap() -> None:
    whole = read_round_set(ROUNDS)
    chosen, reported = (whole.of_part(part) for part in (SetPart.CHOOSE, SetPart.REPORT))
    assert whole.of_part(None) == tuple(whole.clips)
    assert sorted(clip.clip for clip in (*chosen, *reported)) == sorted(clip.clip for clip in whole.clips)
    assert {clip.part for clip in reported} == {SetPart.REPORT}


@pytest.mark.parametrize("text", [None, "{}", '{"clips": [{"clip": "a.mp4"}]}'])
def test_invalid_set_is_refused(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "truth.json").write_text(text)
    with pytest.raises(InputError, match="truth"):
        read_round_set(tmp_path)


def test_verdicts_are_counted() -> None:
    figures = RoundFigures.of([seat(SURE), seat(SURE, BUSH), seat(None, moves=True), seat(SURE, found=True)], 0.93)
    counts = {name: (share.count, share.total) for name, share in figures.rows.items() if share is not None}
    assert counts == {
        "pose right": (2, 4),
        "seat lost": (1, 4),
        "question asked": (TABLES, 4 * TABLES),
        "right without a question": (2 * TABLES, 4 * TABLES),
        "confident and wrong": (TABLES, 4 * TABLES),
        "mover found": (0, 1),
        "taken for a mover": (1, 3),
    }


def test_verdicts_of_one_person_are_not_independent() -> None:
    one, four = (
        RoundFigures.of([replace(seat(SURE), person=person) for person in people], 0.93)
        for people in ((1, 1, 1, 1), (1, 2, 3, 4))
    )
    assert one.confident_wrong is not None
    assert four.confident_wrong is not None
    assert four.confident_wrong.effective == 4
    assert one.confident_wrong.interval[1] > four.confident_wrong.interval[1]


def test_stills_have_no_mover_figures() -> None:
    rows = RoundFigures.of([seat(SURE, moves=True, found=None), seat(SURE, found=None)], 0.93).rows
    assert [row for row, share in rows.items() if share is None] == ["mover found", "taken for a mover"]


CLIP = ClipResult("é.mp4", (seat(SURE, moves=True, found=True),), (seat(None, found=None),), 0.12345, 1.0)


def test_json_line_of_a_clip() -> None:
    assert ClipShape.of(CLIP).line() == (
        '{"id": "\\u00e9.mp4", "from_cue_s": 0.123, "seats": [{"person": 1, "twist": "steady", "truth": "WU WU", '
        '"read": "WU WU", "probability": 1.0, "unclear": [], "moves": true, "found_moving": true}], '
        '"stills": [{"person": 1, "twist": "steady", "truth": "WU WU", "read": null, "probability": null, '
        '"unclear": [], "moves": false, "found_moving": null}]}'
    )


def test_json_line_of_all_clips() -> None:
    line = RoundsShape.of([CLIP], 0.93).line()
    assert line.startswith(
        '{"rounds": 1, "figures": {"round": {"pose right": {"n": 1, "effective_n": 1.0, "count": 1, "rate": 1.0, '
        '"low": 0.2065493117918027, "high": 1.0}, "seat lost": {"n": 1, "effective_n": 1.0, "count": 0, '
    )
    assert line.endswith('"mover found": null, "taken for a mover": null}}, "from_cue_s": 0.123, "work_s": 1.0}')
    figures = json.loads(line)["figures"]
    assert list(figures) == ["round", "best single frame"]
    assert list(figures["round"]) == [
        "pose right",
        "seat lost",
        "question asked",
        "right without a question",
        "confident and wrong",
        "mover found",
        "taken for a mover",
    ]
