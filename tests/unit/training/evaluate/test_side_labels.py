"""Labels of hands and sides: headgear fields, words of every set, notation, and truth from `shapes.csv`."""

from pathlib import Path

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Direction, Form, Place, Spread, parse_headgear
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS
from bunnymoose_cv.vision.headgear.headgear_reading import FIELDS_OF_KIND, Kind
from training.evaluate.hand_labels import HandLabels, Thumb
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.side_labels import Held, SideLabel, SideShape, read_shapes


@pytest.mark.parametrize(
    ("notation", "fields"),
    [
        ("WU", HeadgearFields(Kind.ANTLER, spread=Spread.WIDE, direction=Direction.UP)),
        ("TF", HeadgearFields(Kind.EAR, form=Form.FLOPPY, place=Place.TOP)),
        ("--", HeadgearFields(Kind.NEITHER)),
    ],
)
def test_headgear_has_exactly_the_fields_of_its_kind(notation: str, fields: HeadgearFields) -> None:
    assert HeadgearFields.of(parse_headgear(notation)) == fields
    assert fields.kind is not None
    known = {field for field in HEADGEAR_FIELDS if fields.value(field) is not None}
    assert known == set(FIELDS_OF_KIND[fields.kind])
    assert fields.complete
    assert fields.headgear == parse_headgear(notation)


@pytest.mark.parametrize("fields", [HeadgearFields(), HeadgearFields(Kind.EAR, form=Form.FLOPPY)])
def test_incomplete_fields_have_no_headgear(fields: HeadgearFields) -> None:
    assert not fields.complete
    with pytest.raises(ValueError, match="open"):
        _ = fields.headgear


def test_open_field_has_no_value() -> None:
    assert {HeadgearFields().value(field) for field in HEADGEAR_FIELDS} == {None}


@pytest.mark.parametrize(
    ("letters", "thumb", "kind"),
    [
        ("IM", "tucked", Kind.EAR),
        ("IM", "out", Kind.EAR),
        ("IM", "", Kind.EAR),
        ("IMRP", "out", Kind.ANTLER),
        ("IMRP", "tucked", Kind.EAR),
        ("IMRP", "along", None),
        ("IMRP", "", None),
        ("IP", "tucked", Kind.NEITHER),
        ("MR", "", Kind.NEITHER),
        ("IMR", "out", Kind.NEITHER),
        ("I", "out", Kind.NEITHER),
        ("0", "", Kind.NEITHER),
        ("", "out", None),
    ],
)
def test_kind_follows_from_fingers_and_thumb(letters: str, thumb: str, kind: Kind | None) -> None:
    assert HandLabels.of_letters(letters, thumb).kind is kind


def test_letters_and_words_give_equal_labels() -> None:
    labels = {"fingers_out": "index+middle", "thumb": "out", "spread": "wide", "shape": "curled"}
    expected = HandLabels(frozenset({"index", "middle"}), Thumb.OUT, Spread.WIDE, Form.FLOPPY)
    assert HandLabels.of_letters("IM", "out", "wide", "curled") == expected
    assert HandLabels.of_hand(labels) == HandLabels.of_side("index+middle/wide/curled/thumb_out") == expected


def test_labels_as_a_kind_keep_only_its_fields() -> None:
    hand = HandLabels.of_letters("IMRP", "out", "wide", "straight")
    assert hand.as_kind(Kind.ANTLER) == HeadgearFields(Kind.ANTLER, spread=Spread.WIDE)
    assert hand.as_kind(Kind.EAR) == HeadgearFields(Kind.EAR, form=Form.STRAIGHT)
    assert hand.as_kind(None) == HeadgearFields()


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
def test_side_label_is_parsed_into_fields(text: str, held: Held | None, fields: HeadgearFields) -> None:
    label = SideLabel.parse(text, "1")
    assert (label.held, label.fields) == (held, fields)
    unsure = SideLabel.parse(text, "0")
    assert (unsure.held, unsure.fields) == (None, NOT_SCORED)


@pytest.mark.parametrize("text", ["", "W", "WS", "TU", "WUU"])
def test_invalid_side_label_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no label"):
        SideLabel.parse(text, "1")


def side_shape(text: str) -> SideShape:
    """Return a shape from its cells: shape, place, direction, sure (1 or 0), and an optional second label."""
    shape, place, direction, sure, again = [*text.split(), ""][:5]
    return SideShape(shape, place, direction, sure=sure == "1", again=again)


WIDE_UP = HeadgearFields(Kind.ANTLER, spread=Spread.WIDE, direction=Direction.UP)
COMPACT_DOWN = HeadgearFields(Kind.ANTLER, spread=Spread.COMPACT, direction=Direction.DOWN)


@pytest.mark.parametrize(
    ("shape", "fields"),
    [
        ("- - ? 0", NEITHER),
        ("5w t u 0 ok", NOT_SCORED),
        ("x t u 1", NOT_SCORED),
        ("45 t u 1 ok", NOT_SCORED),
        ("45 b u 1", NOT_SCORED),
        ("o f s 1", NEITHER),
        ("o t s 1 bill", NOT_SCORED),
        ("5c b u 1", NEITHER),
        ("2 o u 1 face", NEITHER),
        ("4 o u 1 low", NEITHER),
        ("5w n u 1", WIDE_UP),
        ("5c o d 1 ok", COMPACT_DOWN),
        ("5 t s 1 ok", HeadgearFields(Kind.ANTLER)),
        ("2t t u 1", HeadgearFields(Kind.EAR, form=Form.STRAIGHT)),
        ("2f n d 1", HeadgearFields(Kind.EAR, form=Form.FLOPPY)),
        ("4 t u 1 ok", HeadgearFields(Kind.EAR)),
        ("5w f u 1", NOT_SCORED),
        ("5c t u 1 lie", NOT_SCORED),
        ("5w o u 1", NOT_SCORED),
    ],
)
def test_truth_follows_from_shape_and_place(shape: str, fields: HeadgearFields) -> None:
    assert side_shape(shape).fields == fields


@pytest.mark.parametrize(
    ("label", "shape", "held"),
    [
        (SideLabel.parse("--", "1"), None, Held.EMPTY),
        (SideLabel.parse("--", "0"), None, None),
        (SideLabel.parse("WU", "1"), None, None),
        (SideLabel.parse("n", "1"), side_shape("- - ? 1"), Held.EMPTY),
        (SideLabel.parse("n", "0"), side_shape("5w n u 1 ok"), Held.ANTLER),
        (SideLabel.parse("WU", "1"), side_shape("o t u 1"), Held.OTHER_HAND),
        (SideLabel.parse("WU", "1"), side_shape("5w f u 1"), None),
    ],
)
def test_shapes_overrule_the_notation(label: SideLabel, shape: SideShape | None, held: Held | None) -> None:
    shaped = label.by_shape(shape)
    assert (shaped.text, shaped.held) == (label.text, held)


def test_repeated_side_in_the_shapes_is_refused(tmp_path: Path) -> None:
    listed = tmp_path / "shapes.csv"
    listed.write_text("file,side,shape,place,direction,sure,again\n" + 2 * "a.jpg,left,5w,n,u,1,\n", "utf-8")
    with pytest.raises(InputError, match=r"left side of a\.jpg twice"):
        read_shapes(listed)
