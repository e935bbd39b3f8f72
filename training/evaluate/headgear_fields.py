"""Labelled fields of a headgear; None marks a field that a label leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Place, Spread
from bunnymoose_cv.rules.pose_fields import Field, HeadgearField
from bunnymoose_cv.vision.headgear.headgear_reading import FIELDS_OF_KIND, Kind

if TYPE_CHECKING:
    from bunnymoose_cv.rules.pose import Headgear


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
        """Return all fields of a headgear."""
        if isinstance(headgear, Antler):
            return cls(Kind.ANTLER, spread=headgear.spread, direction=headgear.direction)
        if isinstance(headgear, Ear):
            return cls(Kind.EAR, form=headgear.form, place=headgear.place)
        return cls(Kind.NEITHER)

    def value(self, field: HeadgearField) -> Kind | Spread | Direction | Form | Place | None:
        """Return the value of one field."""
        return {
            Field.KIND: self.kind,
            Field.SPREAD: self.spread,
            Field.DIRECTION: self.direction,
            Field.FORM: self.form,
            Field.PLACE: self.place,
        }[field]

    @property
    def complete(self) -> bool:
        """Return whether every field of the kind is known."""
        return self.kind is not None and all(self.value(field) is not None for field in FIELDS_OF_KIND[self.kind])

    @property
    def headgear(self) -> Headgear:
        """Return the headgear of complete fields, or None if the game has no such headgear.

        Raises:
            ValueError: a field is open.
        """
        match self:
            case HeadgearFields(Kind.ANTLER, Spread() as spread, Direction() as direction):
                return Antler(spread, direction)
            case HeadgearFields(Kind.EAR, form=Form() as form, place=Place() as place):
                return Ear(place, form)
            case HeadgearFields(Kind.NEITHER):
                return None
        raise ValueError(f"a field is open: {self}")


OPEN_FIELDS = HeadgearFields()
"""Fields of a label that leaves all of them open."""
