"""What a reading is called in English words, for pictures and tables alike. Owns no announcement and no reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Antler, Direction, Form, Headgear, Place, Spread, Tongue
from bunnymoose_cv.vision.headgear import Field

if TYPE_CHECKING:
    from collections.abc import Collection

    from bunnymoose_cv.vision.tongue import TongueReading

UNCLEAR = "?"
"""Stands behind every word that is not sure enough to stand alone."""

_WORDS = {
    Spread.WIDE: "wide",
    Spread.COMPACT: "compact",
    Direction.UP: "up",
    Direction.DOWN: "down",
    Form.STRAIGHT: "straight",
    Form.FLOPPY: "floppy",
    Place.TOP: "on top",
    Place.SIDE: "at the side",
}


def headgear_words(headgear: Headgear, unclear: Collection[Field] = ()) -> str:
    """A headgear as people call it: `wide antler up`, `floppy ear on top`, with doubt `wide? antler up`."""
    return " ".join(headgear_parts(headgear, unclear))


def headgear_parts(headgear: Headgear, unclear: Collection[Field] = ()) -> tuple[str, ...]:
    """The same in two parts for narrow places: `wide antler` and `up`, `floppy ear` and `on top`."""
    doubt = {field: UNCLEAR if field in unclear else "" for field in Field}
    kind = doubt[Field.KIND]
    if headgear is None:
        return (f"nothing{kind}",)
    if isinstance(headgear, Antler):
        spread, direction = _WORDS[headgear.spread], _WORDS[headgear.direction]
        return f"{spread}{doubt[Field.SPREAD]} antler{kind}", f"{direction}{doubt[Field.DIRECTION]}"
    form, place = _WORDS[headgear.form], _WORDS[headgear.place]
    return f"{form}{doubt[Field.FORM]} ear{kind}", f"{place}{doubt[Field.PLACE]}"


def tongue_words(reading: TongueReading) -> str:
    """A tongue as people call it: `tongue out`, with doubt `tongue out?`."""
    value = "out" if reading.tongue is Tongue.OUT else "in"
    return f"tongue {value}{UNCLEAR if reading.unclear else ''}"
