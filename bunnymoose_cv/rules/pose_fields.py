"""Fields of a pose, each of which is read, doubted and calibrated separately."""

from __future__ import annotations

from enum import Enum, StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Headgear, Place, Side, Spread

if TYPE_CHECKING:
    from collections.abc import Mapping


class Field(Enum):
    """Fields of one side of a head, and the tongue."""

    KIND = "kind"
    SPREAD = "spread"
    DIRECTION = "direction"
    FORM = "form"
    PLACE = "place"
    TONGUE = "tongue"


HeadgearField: TypeAlias = Literal[Field.KIND, Field.SPREAD, Field.DIRECTION, Field.FORM, Field.PLACE]

HEADGEAR_FIELDS: Final[tuple[HeadgearField, ...]] = (
    Field.KIND,
    Field.SPREAD,
    Field.DIRECTION,
    Field.FORM,
    Field.PLACE,
)

FieldValue: TypeAlias = type[Antler] | type[Ear] | type[None] | Spread | Direction | Form | Place
"""Value of a headgear's field; the value of the kind is the headgear's class."""


class PoseField(StrEnum):
    """Fields of a whole pose, with their names in output and JSON; sides are the player's own."""

    LEFT_KIND = "left.kind"
    LEFT_SPREAD = "left.spread"
    LEFT_DIRECTION = "left.direction"
    LEFT_FORM = "left.form"
    LEFT_PLACE = "left.place"
    RIGHT_KIND = "right.kind"
    RIGHT_SPREAD = "right.spread"
    RIGHT_DIRECTION = "right.direction"
    RIGHT_FORM = "right.form"
    RIGHT_PLACE = "right.place"
    TONGUE = "tongue"

    @classmethod
    def of(cls, side: Side, field: HeadgearField) -> PoseField:
        """Return the field of the headgear on one side."""
        return cls(f"{side.name.lower()}.{field.value}")

    @property
    def side(self) -> Side | None:
        """Side of the head; None for the tongue."""
        return _PARTS[self][0]

    @property
    def field(self) -> Field:
        """Field without its side."""
        return _PARTS[self][1]


_PARTS: Final[Mapping[PoseField, tuple[Side | None, Field]]] = {
    **{PoseField.of(side, field): (side, field) for side in Side for field in HEADGEAR_FIELDS},
    PoseField.TONGUE: (None, Field.TONGUE),
}


@cache
def field_values(headgear: Headgear) -> Mapping[Field, FieldValue]:
    """Return the values of a headgear's fields, including its kind."""
    kind: dict[Field, FieldValue] = {Field.KIND: type(headgear)}
    if isinstance(headgear, Antler):
        return kind | {Field.SPREAD: headgear.spread, Field.DIRECTION: headgear.direction}
    if isinstance(headgear, Ear):
        return kind | {Field.PLACE: headgear.place, Field.FORM: headgear.form}
    return kind
