"""Sorts of hands beside the headgears, and the truth's names for shapes between two classes."""

from __future__ import annotations

import pytest

from bunnymoose_cv.rules.pose import ANTLERS, EARS, Side
from fixtures.render.body.sorts import (
    BETWEEN,
    BUSH_OF_SORT,
    BY_PART,
    IMPROPER,
    Bush,
    Field,
    Shown,
    Sort,
    between_label,
    bush_of,
)

ANTLER, EAR = Shown.headgear_of(ANTLERS[0]), Shown.headgear_of(EARS[0])


def test_every_sort_is_headgear_or_a_reason_for_a_bush_or_in_between() -> None:
    assert {Sort.HEADGEAR, Sort.DOWN, *IMPROPER, *BY_PART} == set(Sort)
    assert set(BY_PART) - set(BETWEEN) == {Sort.THUMB_NEAR}
    assert {*IMPROPER, Sort.DOWN} <= set(BUSH_OF_SORT)
    assert not set(IMPROPER) & set(BY_PART)


@pytest.mark.parametrize(
    ("left", "right", "bush"),
    [
        (ANTLER, ANTLER, None),
        (EAR, EAR, None),
        (ANTLER, EAR, Bush.MIX),
        (ANTLER, Shown(Sort.DOWN), Bush.ONE_HAND),
        (Shown(Sort.DOWN), Shown(Sort.DOWN), Bush.HANDS_DOWN),
        (EAR, Shown(Sort.THUMB_AND_LITTLE), Bush.THUMB_AND_LITTLE),
        (Shown(Sort.HANDS_TOGETHER), Shown(Sort.HANDS_TOGETHER), Bush.FLAT_HAND),
        (Shown(Sort.OVER_FACE), Shown(Sort.DOWN), Bush.AT_FACE),
        (ANTLER, Shown(Sort.THUMB_NEAR, ANTLERS[1], 0.6), None),
        (EAR, Shown(Sort.HALF_BENT, EARS[1], 0.4), None),
    ],
)
def test_why_two_sides_make_a_bush(left: Shown, right: Shown, bush: Bush | None) -> None:
    assert bush_of(left, right) is bush


@pytest.mark.parametrize(
    ("left", "right", "tongue", "label"),
    [
        (ANTLER, ANTLER, False, ""),
        (ANTLER, ANTLER, True, "tongue"),
        (Shown(Sort.HALF_SPREAD, ANTLERS[0], 0.5), ANTLER, False, "left.spread"),
        (EAR, Shown(Sort.BETWEEN_PLACES, EARS[0], 0.5), False, "right.place"),
        (Shown(Sort.THUMB_NEAR, ANTLERS[0], 0.6), ANTLER, False, ""),
        (
            Shown(Sort.THUMB_HALF_OUT, ANTLERS[0], 0.6),
            Shown(Sort.HALF_BENT, EARS[0], 0.4),
            True,
            "left.kind+right.form+tongue",
        ),
    ],
)
def test_the_label_of_what_lies_between(left: Shown, right: Shown, label: str, *, tongue: bool) -> None:
    assert between_label({Side.LEFT: left, Side.RIGHT: right}, tongue=tongue) == label


def test_only_shapes_in_between_leave_a_field_open() -> None:
    assert {Shown(sort).between for sort in BETWEEN} == set(Field)
    assert ANTLER.between is None
