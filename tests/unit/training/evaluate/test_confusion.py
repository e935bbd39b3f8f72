"""Confusion tables of invented players and hands."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunnymoose_cv.rules.pose import Direction, Form, Spread
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.confusion import NOT_FOUND, confusions
from training.evaluate.datasets import Row, RowKind
from training.evaluate.evaluated import Evaluated
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.reading import ReadHeadgear
from training.evaluate.truth import Between


def test_what_was_read_as_what() -> None:
    images = [
        shown("a", "WU TF t", read("WU SF t")),
        shown("b", "WU --"),
        shown("c", "WU WU", read("CU WU"), between=Between(left=frozenset({Field.SPREAD}))),
    ]
    headgear, animal, tongue = confusions(images)
    assert dict(headgear.counts) == {("WU", "WU"): 2, ("TF", "SF"): 1, ("WU", NOT_FOUND): 1, ("--", NOT_FOUND): 1}
    assert dict(animal.counts) == {("bush", "bush"): 1, ("bush", NOT_FOUND): 1}
    assert dict(tongue.counts) == {("out", "out"): 1, ("in", "in"): 1, ("in", NOT_FOUND): 1}
    assert headgear.row("WU") == (2, 0, 0, 0, 0, 0, 0, 0, 0, 1)


EAR = HeadgearFields(Kind.EAR, form=Form.STRAIGHT)
ANTLER = HeadgearFields(Kind.ANTLER, spread=Spread.WIDE)


@pytest.mark.parametrize(
    ("truth", "read_as", "counts"),
    [
        (EAR, ReadHeadgear(EAR), {("straight ear", "straight ear"): 1}),
        (EAR, ReadHeadgear(HeadgearFields(Kind.NEITHER)), {("straight ear", "neither"): 1}),
        (
            ANTLER,
            ReadHeadgear(HeadgearFields(Kind.ANTLER, Spread.COMPACT, Direction.UP)),
            {("wide antler", "compact antler"): 1},
        ),
        (ANTLER, None, {("wide antler", NOT_FOUND): 1}),
    ],
)
def test_a_hand_by_itself_has_no_direction(
    truth: HeadgearFields, read_as: ReadHeadgear | None, counts: dict[tuple[str, str], int]
) -> None:
    row = Row("a", Path("a.jpg"), RowKind.HAND, {}, 2)
    (hand,) = confusions([Evaluated(row, truth, read_as, (), None)])
    assert (hand.name, dict(hand.counts)) == ("hand", counts)


def test_a_hand_of_which_the_label_leaves_the_shape_open_is_not_counted() -> None:
    row = Row("a", Path("a.jpg"), RowKind.HAND, {}, 2)
    assert confusions([Evaluated(row, HeadgearFields(Kind.EAR), ReadHeadgear(EAR), (), None)]) == ()
