"""Labelled fields of a headgear."""

from __future__ import annotations

import pytest

from bunnymoose_cv.rules.pose import Direction, Form, Place, Spread, parse_headgear
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS
from bunnymoose_cv.vision.headgear.headgear_reading import FIELDS_OF_KIND, Kind
from training.evaluate.headgear_fields import HeadgearFields


@pytest.mark.parametrize(
    ("notation", "fields"),
    [
        ("WU", HeadgearFields(Kind.ANTLER, spread=Spread.WIDE, direction=Direction.UP)),
        ("TF", HeadgearFields(Kind.EAR, form=Form.FLOPPY, place=Place.TOP)),
        ("--", HeadgearFields(Kind.NEITHER)),
    ],
)
def test_a_headgear_has_the_fields_of_its_kind(notation: str, fields: HeadgearFields) -> None:
    assert HeadgearFields.of(parse_headgear(notation)) == fields
    assert fields.kind is not None
    told = {field for field in HEADGEAR_FIELDS if fields.value(field) is not None}
    assert told == set(FIELDS_OF_KIND[fields.kind])
    assert fields.complete
    assert fields.headgear == parse_headgear(notation)


@pytest.mark.parametrize("fields", [HeadgearFields(), HeadgearFields(Kind.EAR, form=Form.FLOPPY)])
def test_open_fields_make_no_headgear(fields: HeadgearFields) -> None:
    assert not fields.complete
    with pytest.raises(ValueError, match="open"):
        _ = fields.headgear


def test_what_a_label_leaves_open_has_no_value() -> None:
    assert {HeadgearFields().value(field) for field in HEADGEAR_FIELDS} == {None}
