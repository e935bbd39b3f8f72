"""Words for what players show and cards ask for: headgear, its fields, tongues and animals.

The words are English; `Texts` translates them into the language of the table. Names of headgear and patterns
are whole phrases, found by their notation, because other languages inflect phrases and not single words. The words of
a reading have room for a mark of doubt after each field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Animal, Antler, Direction, Form, Headgear, Place, Spread, Tongue
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS, Field

if TYPE_CHECKING:
    from collections.abc import Collection

    from bunnymoose_cv.rules.cards import Pattern

UNCLEAR: Final = "?"
"""Mark after every word that is not sure enough."""

VALUE_WORDS: Final[dict[object, Phrase]] = {
    "antler": Phrase("antler"),
    "ear": Phrase("ear"),
    "other": Phrase("neither antler nor ear"),
    Spread.WIDE: Phrase("wide"),
    Spread.COMPACT: Phrase("compact"),
    Direction.UP: Phrase("up"),
    Direction.DOWN: Phrase("down"),
    Form.STRAIGHT: Phrase("straight"),
    Form.FLOPPY: Phrase("floppy"),
    Place.TOP: Phrase("on top"),
    Place.SIDE: Phrase("at the side"),
}
"""Words for the values of a headgear's fields; kinds by their names in readings."""

_PATTERNS: Final = {
    "WU": (Phrase("wide antler up"), Phrase("no wide antler up"), None),
    "WD": (Phrase("wide antler down"), Phrase("no wide antler down"), None),
    "W?": (Phrase("wide antler"), Phrase("no wide antler"), Phrase("wide antler, up or down")),
    "CU": (Phrase("compact antler up"), Phrase("no compact antler up"), None),
    "CD": (Phrase("compact antler down"), Phrase("no compact antler down"), None),
    "C?": (Phrase("compact antler"), Phrase("no compact antler"), Phrase("compact antler, up or down")),
    "?U": (Phrase("antler up"), Phrase("no antler up"), Phrase("antler up, wide or compact")),
    "?D": (Phrase("antler down"), Phrase("no antler down"), Phrase("antler down, wide or compact")),
    "TS": (Phrase("straight ear on top"), Phrase("no straight ear on top"), None),
    "TF": (Phrase("floppy ear on top"), Phrase("no floppy ear on top"), None),
    "T?": (Phrase("ear on top"), Phrase("no ear on top"), Phrase("ear on top, straight or floppy")),
    "SS": (Phrase("straight ear at the side"), Phrase("no straight ear at the side"), None),
    "SF": (Phrase("floppy ear at the side"), Phrase("no floppy ear at the side"), None),
    "S?": (Phrase("ear at the side"), Phrase("no ear at the side"), Phrase("ear at the side, straight or floppy")),
    "?S": (Phrase("straight ear"), Phrase("no straight ear"), Phrase("straight ear, on top or at the side")),
    "?F": (Phrase("floppy ear"), Phrase("no floppy ear"), Phrase("floppy ear, on top or at the side")),
}
"""Words for a pattern by its notation: if it is there, if it is missing, and with the choices of an open field."""

_ANIMALS: Final = {Animal.MOOSE: Phrase("Moose"), Animal.RABBIT: Phrase("Rabbit"), Animal.BUSH: Phrase("Bush")}


def animal_words(animal: Animal) -> Phrase:
    """Return the name of an animal: `Moose`."""
    return _ANIMALS[animal]


def notation_words(notation: str) -> Phrase:
    """Return the name of a headgear or of a card's pattern by its notation: `wide antler up`, `ear on top`."""
    return _PATTERNS[notation][0]


def pattern_words(pattern: Pattern, *, there: bool = True) -> Phrase:
    """Return the words for a card's pattern: `wide antler up`, `ear on top`; or for its absence: `no floppy ear`."""
    shown, missing, _ = _PATTERNS[str(pattern)]
    return shown if there else missing


def choice_words(pattern: Pattern) -> Phrase:
    """Return the words for a card's pattern, with both choices of an open field: `ear on top, straight or floppy`."""
    shown, _, choices = _PATTERNS[str(pattern)]
    return choices or shown


def headgear_words(headgear: Headgear, unclear: Collection[Field] = ()) -> Phrase:
    """Return the name of a headgear: `wide antler up`, `floppy ear on top`, with doubt `wide? antler up`."""
    what, *where = headgear_parts(headgear, unclear)
    return Phrase("{what} {where}", what=what, where=where[0]) if where else what


def headgear_parts(headgear: Headgear, unclear: Collection[Field] = ()) -> tuple[Phrase, ...]:
    """Return the same in two parts for narrow places: `wide antler` and `up`, `floppy ear` and `on top`."""
    kind, spread, direction, form, place = (UNCLEAR if field in unclear else "" for field in HEADGEAR_FIELDS)
    if headgear is None:
        return (Phrase("nothing{kind}", kind=kind),)
    if isinstance(headgear, Antler):
        is_wide, is_up = headgear.spread is Spread.WIDE, headgear.direction is Direction.UP
        return (
            Phrase(
                "wide{spread} antler{kind}" if is_wide else "compact{spread} antler{kind}", spread=spread, kind=kind
            ),
            Phrase("up{doubt}" if is_up else "down{doubt}", doubt=direction),
        )
    is_straight, is_on_top = headgear.form is Form.STRAIGHT, headgear.place is Place.TOP
    return (
        Phrase("straight{form} ear{kind}" if is_straight else "floppy{form} ear{kind}", form=form, kind=kind),
        Phrase("on top{doubt}" if is_on_top else "at the side{doubt}", doubt=place),
    )


def tongue_words(tongue: Tongue, *, unclear: bool) -> Phrase:
    """Return the words for a tongue: `tongue out`, with doubt `tongue out?`."""
    doubt = UNCLEAR if unclear else ""
    return Phrase("tongue out{doubt}" if tongue is Tongue.OUT else "tongue in{doubt}", doubt=doubt)
