"""Figures of judged rounds, and their JSON."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.unit.training.evaluate.made_seats import BUSH, SURE, seat
from training.evaluate.round_benchmark import ClipResult
from training.evaluate.round_figures import TABLES, ClipShape, RoundFigures, RoundsShape


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


def test_verdicts_of_one_person_are_no_independent_ones() -> None:
    one, four = (
        RoundFigures.of([replace(seat(SURE), person=person) for person in people], 0.93)
        for people in ((1, 1, 1, 1), (1, 2, 3, 4))
    )
    assert one.confident_wrong is not None
    assert four.confident_wrong is not None
    assert four.confident_wrong.effective == 4
    assert one.confident_wrong.interval[1] > four.confident_wrong.interval[1]


def test_nobody_moves_in_a_still() -> None:
    rows = RoundFigures.of([seat(SURE, moves=True, found=None), seat(SURE, found=None)], 0.93).rows
    assert [row for row, share in rows.items() if share is None] == ["mover found", "taken for a mover"]


CLIP = ClipResult("é.mp4", (seat(SURE, moves=True, found=True),), (seat(None, found=None),), 0.12345, 1.0)


def test_the_line_of_a_clip() -> None:
    assert ClipShape.of(CLIP).line() == (
        '{"id": "\\u00e9.mp4", "from_cue_s": 0.123, "seats": [{"person": 1, "twist": "steady", "truth": "WU WU", '
        '"read": "WU WU", "probability": 1.0, "unclear": [], "moves": true, "found_moving": true}], '
        '"stills": [{"person": 1, "twist": "steady", "truth": "WU WU", "read": null, "probability": null, '
        '"unclear": [], "moves": false, "found_moving": null}]}'
    )


def test_the_line_of_all_clips() -> None:
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
