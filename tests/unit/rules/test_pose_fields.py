"""Fields of a pose: names that people and other programs read, and the values that a headgear has."""

import pytest

from bunnymoose_cv.rules.pose import HEADGEARS, Antler, Direction, Ear, Form, Headgear, Place, Side, Spread
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS, Field, FieldValue, PoseField, field_values


def test_every_field_stands_under_its_name() -> None:
    sides = [f"{side}.{field.value}" for side in ("left", "right") for field in HEADGEAR_FIELDS]
    assert [str(each) for each in PoseField] == [*sides, "tongue"]


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("field", HEADGEAR_FIELDS)
def test_a_field_of_a_headgear_tells_its_side(side: Side, field: Field) -> None:
    found = next(each for each in PoseField if each.side is side and each.field is field)
    assert found == f"{side.name.lower()}.{field.value}"


def test_the_tongue_has_no_side() -> None:
    assert (PoseField.TONGUE.side, PoseField.TONGUE.field) == (None, Field.TONGUE)


@pytest.mark.parametrize(
    ("headgear", "values"),
    [
        (
            Antler(Spread.WIDE, Direction.DOWN),
            {Field.KIND: Antler, Field.SPREAD: Spread.WIDE, Field.DIRECTION: Direction.DOWN},
        ),
        (Ear(Place.TOP, Form.FLOPPY), {Field.KIND: Ear, Field.PLACE: Place.TOP, Field.FORM: Form.FLOPPY}),
        (None, {Field.KIND: type(None)}),
    ],
)
def test_values_of_a_headgear(headgear: Headgear, values: dict[Field, FieldValue]) -> None:
    assert field_values(headgear) == values


def test_headgears_differ_in_their_values() -> None:
    assert len({tuple(field_values(each).values()) for each in HEADGEARS}) == len(HEADGEARS)
