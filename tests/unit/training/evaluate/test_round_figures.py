"""Figures of judged rounds, counted at dealt tables."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.training.evaluate.made_seats import BUSH, SURE, seat
from training.evaluate.round_figures import TABLES, RoundFigures


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
