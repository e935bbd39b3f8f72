"""Labelled fields of a headgear; those that a label leaves open are None."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Antler, Ear
from bunnymoose_cv.rules.pose_fields import Field, HeadgearField
from bunnymoose_cv.vision.headgear.headgear_reading import Kind

if TYPE_CHECKING:
    from bunnymoose_cv.rules.pose import Direction, Form, Headgear, Place, Spread


@dataclass(frozen=True, slots=True)
class HeadgearFields:
    """Fields of the headgear on one side of a head, or of a single hand."""

    kind: Kind | None = None
    spread: Spread | None = None
    direction: Direction | None = None
    form: Form | None = None
    place: Place | None = None

    @classmethod
    def of(cls, headgear: Headgear) -> HeadgearFields:
        """All fields of a headgear."""
        if isinstance(headgear, Antler):
            return cls(Kind.ANTLER, spread=headgear.spread, direction=headgear.direction)
        if isinstance(headgear, Ear):
            return cls(Kind.EAR, form=headgear.form, place=headgear.place)
        return cls(Kind.NEITHER)

    def value(self, field: HeadgearField) -> Kind | Spread | Direction | Form | Place | None:
        """The value of one field."""
        return {
            Field.KIND: self.kind,
            Field.SPREAD: self.spread,
            Field.DIRECTION: self.direction,
            Field.FORM: self.form,
            Field.PLACE: self.place,
        }[field]
