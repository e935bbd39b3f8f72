"""Names of readings, for images and tables alike.

The words print in English, and `Texts` says them in the language of the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Animal, Antler, Direction, Form, Headgear, Place, Spread, Tongue
from bunnymoose_cv.rules.pose_fields import Field

if TYPE_CHECKING:
    from collections.abc import Collection

    from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading

UNCLEAR: Final = "?"
"""Stands behind every word that is not sure enough to stand alone."""

_ANIMALS: Final = {Animal.MOOSE: Phrase("Moose"), Animal.RABBIT: Phrase("Rabbit"), Animal.BUSH: Phrase("Bush")}


def animal_words(animal: Animal) -> Phrase:
    """An animal by itself: `Moose`."""
    return _ANIMALS[animal]


def headgear_words(headgear: Headgear, unclear: Collection[Field] = ()) -> Phrase:
    """A headgear as people call it: `wide antler up`, `floppy ear on top`, with doubt `wide? antler up`."""
    what, *where = headgear_parts(headgear, unclear)
    return Phrase("{what} {where}", what=what, where=where[0]) if where else what


def headgear_parts(headgear: Headgear, unclear: Collection[Field] = ()) -> tuple[Phrase, ...]:
    """The same in two parts for narrow places: `wide antler` and `up`, `floppy ear` and `on top`."""
    doubt = {field: UNCLEAR if field in unclear else "" for field in Field}
    if headgear is None:
        return (Phrase("nothing{kind}", kind=doubt[Field.KIND]),)
    if isinstance(headgear, Antler):
        return _antler(headgear, doubt[Field.KIND], doubt[Field.SPREAD]), _pointing(headgear, doubt[Field.DIRECTION])
    return _ear(headgear.form, doubt[Field.KIND], doubt[Field.FORM]), _standing(headgear.place, doubt[Field.PLACE])


def tongue_words(reading: TongueReading) -> Phrase:
    """A tongue as people call it: `tongue out`, with doubt `tongue out?`."""
    doubt = UNCLEAR if reading.unclear else ""
    if reading.tongue is Tongue.OUT:
        return Phrase("tongue out{doubt}", doubt=doubt)
    return Phrase("tongue in{doubt}", doubt=doubt)


def _antler(antler: Antler, kind: str, spread: str) -> Phrase:
    if antler.spread is Spread.WIDE:
        return Phrase("wide{spread} antler{kind}", spread=spread, kind=kind)
    return Phrase("compact{spread} antler{kind}", spread=spread, kind=kind)


def _pointing(antler: Antler, doubt: str) -> Phrase:
    if antler.direction is Direction.UP:
        return Phrase("up{doubt}", doubt=doubt)
    return Phrase("down{doubt}", doubt=doubt)


def _ear(shape: Form, kind: str, form: str) -> Phrase:
    if shape is Form.STRAIGHT:
        return Phrase("straight{form} ear{kind}", form=form, kind=kind)
    return Phrase("floppy{form} ear{kind}", form=form, kind=kind)


def _standing(place: Place, doubt: str) -> Phrase:
    if place is Place.TOP:
        return Phrase("on top{doubt}", doubt=doubt)
    return Phrase("at the side{doubt}", doubt=doubt)
