"""Confusion tables, groups of players, reliability of confidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunnymoose_cv.rules.pose import Direction, Form, Spread
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.breakdowns import BINS, NOT_FOUND, confusions, groups, reliability
from training.evaluate.comparison import Measure
from training.evaluate.datasets import Row, RowKind
from training.evaluate.evaluated import Evaluated
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.reading import ReadHeadgear
from training.evaluate.shares import Share
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


def test_groups_come_from_labels_and_the_height_of_the_face() -> None:
    images = [
        shown("a", "WU WU", read("WU WU"), labels="light=dim;skin=dark", face=49),
        shown("b", "WU WU", read("WU WU t", limit=0.0), labels="light=dim;skin=light", face=50),
        shown("c", "TS TS/WU WU", read("TS TS"), read("CU WU"), labels="light=warm;skin=dark/light;age=12/70"),
    ]
    told = {(group.label, group.value): group for group in groups(images)}
    assert set(told) == {
        ("light", "dim"),
        ("light", "warm"),
        ("skin", "dark"),
        ("skin", "light"),
        ("face", "80 to 120 px"),
    }
    dim = told["light", "dim"]
    assert dim.people == 2
    assert (dim.right[Measure.POSE], dim.right[Measure.HEADGEAR]) == (Share(2, 1), Share(4, 4))
    assert dim.sure_wrong == Share(14, 1)
    assert told["skin", "dark"].right[Measure.POSE] == Share(2, 2)
    assert told["skin", "light"].right[Measure.POSE] == Share(2, 0)


@pytest.mark.parametrize(
    ("height", "band"),
    [(49, "0 to 50 px"), (50, "50 to 80 px"), (179.9, "120 to 180 px"), (180, "180 px and more")],
)
def test_a_face_belongs_to_the_band_of_its_height(height: float, band: str) -> None:
    (group,) = groups([shown(name, "WU WU", read("WU WU"), face=height) for name in "ab"])
    assert (group.label, group.value) == ("face", band)


def test_groups_of_numbers_stand_in_the_order_of_numbers() -> None:
    images = [shown(str(age), "WU WU", read("WU WU"), labels=f"age={age}") for age in (70, 9, 70, 9, 12, 12)]
    assert [group.value for group in groups(images) if group.label == "age"] == ["9", "12", "70"]


def test_reliability_puts_readings_that_are_equally_sure_together() -> None:
    images = [
        shown("a", "WU WU", read("WU WU", 0.97)),
        shown("b", "WU WU", read("CU WU", 0.99)),
        shown("c", "WU WU", read("WU WU", 0.51)),
        shown("d", "WU WU"),
    ]
    fields = {own.field: own for own in reliability(images)}
    assert set(fields) == {"kind", "spread", "direction", "tongue"}
    least, most = fields["spread"].bins
    assert (least.right, most.right) == (Share(2, 2), Share(4, 3))
    assert [least.confidence, most.confidence] == pytest.approx([0.51, 0.98])
    assert fields["spread"].error == pytest.approx((2 * 0.49 + 4 * 0.23) / 6)


@pytest.mark.parametrize(
    ("confidence", "others", "together"), [(0.34, 0.5, True), (0.949, 0.95, False), (1.0, 0.96, True)]
)
def test_bins_part_the_sureness_from_even_to_certain(confidence: float, others: float, together: bool) -> None:  # noqa: FBT001 - a table
    images = [shown(str(sure), "WU WU", read("WU WU", sure)) for sure in (confidence, others)]
    assert BINS == 10
    assert (len(reliability(images)[0].bins) == 1) is together
