"""Labels of sides: our notation, and the truth of `shapes.csv` by the table of side_labels.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Direction, Form, Place, Spread
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.side_labels import Held, SideLabel, SideShape, read_shapes

if TYPE_CHECKING:
    from pathlib import Path

NEITHER = HeadgearFields(Kind.NEITHER)
NOT_SCORED = HeadgearFields()


@pytest.mark.parametrize(
    ("text", "held", "fields"),
    [
        ("WU", Held.ANTLER, HeadgearFields(Kind.ANTLER, spread=Spread.WIDE, direction=Direction.UP)),
        ("?D", Held.ANTLER, HeadgearFields(Kind.ANTLER, direction=Direction.DOWN)),
        ("TF", Held.EAR, HeadgearFields(Kind.EAR, form=Form.FLOPPY, place=Place.TOP)),
        ("?S", Held.EAR, HeadgearFields(Kind.EAR, form=Form.STRAIGHT)),
        ("--", Held.EMPTY, NEITHER),
        ("n", Held.OTHER_HAND, NEITHER),
        ("x", None, NOT_SCORED),
        ("open", None, NOT_SCORED),
    ],
)
def test_a_label_tells_its_fields(text: str, held: Held | None, fields: HeadgearFields) -> None:
    label = SideLabel.parse(text, "1")
    assert (label.held, label.fields) == (held, fields)
    unsure = SideLabel.parse(text, "0")
    assert (unsure.held, unsure.fields) == (None, NOT_SCORED)


@pytest.mark.parametrize("text", ["", "W", "WS", "TU", "WUU"])
def test_another_text_is_no_label(text: str) -> None:
    with pytest.raises(InputError, match="is no label"):
        SideLabel.parse(text, "1")


@pytest.mark.parametrize(
    ("shape", "fields"),
    [
        (SideShape("-", "-", "?", sure=False, again=""), NEITHER),
        (SideShape("5w", "t", "u", sure=False, again="ok"), NOT_SCORED),
        (SideShape("x", "t", "u", sure=True, again=""), NOT_SCORED),
        (SideShape("45", "t", "u", sure=True, again="ok"), NOT_SCORED),
        (SideShape("45", "b", "u", sure=True, again=""), NOT_SCORED),
        (SideShape("o", "f", "s", sure=True, again=""), NEITHER),
        (SideShape("o", "t", "s", sure=True, again="bill"), NOT_SCORED),
        (SideShape("5c", "b", "u", sure=True, again=""), NEITHER),
        (SideShape("2", "o", "u", sure=True, again="face"), NEITHER),
        (SideShape("4", "o", "u", sure=True, again="low"), NEITHER),
        (
            SideShape("5w", "n", "u", sure=True, again=""),
            HeadgearFields(Kind.ANTLER, spread=Spread.WIDE, direction=Direction.UP),
        ),
        (
            SideShape("5c", "o", "d", sure=True, again="ok"),
            HeadgearFields(Kind.ANTLER, spread=Spread.COMPACT, direction=Direction.DOWN),
        ),
        (SideShape("5", "t", "s", sure=True, again="ok"), HeadgearFields(Kind.ANTLER)),
        (SideShape("2t", "t", "u", sure=True, again=""), HeadgearFields(Kind.EAR, form=Form.STRAIGHT)),
        (SideShape("2f", "n", "d", sure=True, again=""), HeadgearFields(Kind.EAR, form=Form.FLOPPY)),
        (SideShape("4", "t", "u", sure=True, again="ok"), HeadgearFields(Kind.EAR)),
        (SideShape("5w", "f", "u", sure=True, again=""), NOT_SCORED),
        (SideShape("5c", "t", "u", sure=True, again="lie"), NOT_SCORED),
        (SideShape("5w", "o", "u", sure=True, again=""), NOT_SCORED),
    ],
)
def test_a_shape_and_its_place_make_the_truth(shape: SideShape, fields: HeadgearFields) -> None:
    assert shape.fields == fields


@pytest.mark.parametrize(
    ("label", "shape", "held"),
    [
        (SideLabel.parse("--", "1"), None, Held.EMPTY),
        (SideLabel.parse("--", "0"), None, None),
        (SideLabel.parse("WU", "1"), None, None),
        (SideLabel.parse("n", "1"), SideShape("-", "-", "?", sure=True, again=""), Held.EMPTY),
        (SideLabel.parse("n", "0"), SideShape("5w", "n", "u", sure=True, again="ok"), Held.ANTLER),
        (SideLabel.parse("WU", "1"), SideShape("o", "t", "u", sure=True, again=""), Held.OTHER_HAND),
        (SideLabel.parse("WU", "1"), SideShape("5w", "f", "u", sure=True, again=""), None),
    ],
)
def test_shapes_overrule_the_notation(label: SideLabel, shape: SideShape | None, held: Held | None) -> None:
    shaped = label.by_shape(shape)
    assert (shaped.text, shaped.held) == (label.text, held)


def test_a_side_stands_once_in_the_shapes(tmp_path: Path) -> None:
    listed = tmp_path / "shapes.csv"
    listed.write_text("file,side,shape,place,direction,sure,again\n" + 2 * "a.jpg,left,5w,n,u,1,\n", "utf-8")
    with pytest.raises(InputError, match=r"left side of a\.jpg twice"):
        read_shapes(listed)
