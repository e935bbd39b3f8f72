"""Labels of a hand, and the kind that its shape makes, regardless of its place.

Two fingers, index and middle, are an ear with any thumb. Four fingers are an antler with the thumb out and an ear with
the thumb tucked in. Every other set of fingers is neither.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.rules.pose import Form, Spread
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from training.evaluate.headgear_fields import HeadgearFields

if TYPE_CHECKING:
    from collections.abc import Mapping

FINGERS: Final = frozenset({"index", "middle", "ring", "pinky"})
EAR_FINGERS: Final = frozenset({"index", "middle"})

_LETTERS: Final = {name[0].upper(): name for name in FINGERS}
_SPREADS: Final = {"wide": Spread.WIDE, "compact": Spread.COMPACT}
_FORMS: Final = {"straight": Form.STRAIGHT, "curled": Form.FLOPPY, "bent": Form.FLOPPY, "floppy": Form.FLOPPY}


class Thumb(Enum):
    """Position of the thumb."""

    OUT = "out"
    TUCKED = "tucked"


_THUMBS: Final = {thumb.value: thumb for thumb in Thumb}


@dataclass(frozen=True, slots=True)
class HandLabels:
    """Labels of a hand; None if the words leave a label open (“medium”, “five_bent”, “along”, nothing at all).

    Attributes:
        fingers: names of the extended fingers, without the thumb.
    """

    fingers: frozenset[str] | None = None
    thumb: Thumb | None = None
    spread: Spread | None = None
    form: Form | None = None

    @classmethod
    def of_hand(cls, labels: Mapping[str, str]) -> Self:
        """Parse the labels of a photograph: `fingers_out=index+middle;spread=wide;shape=straight;thumb=tucked`."""
        return cls(
            _fingers(labels.get("fingers_out", "")),
            _THUMBS.get(labels.get("thumb", "")),
            _SPREADS.get(labels.get("spread", "")),
            _FORMS.get(labels.get("shape", "")),
        )

    @classmethod
    def of_side(cls, text: str) -> Self:
        """Parse the label of one side of a head: `index+middle/compact/straight/thumb_tucked`, `none/fist`."""
        fingers, *words = re.sub(r"\(.*?\)", "", text).split("/")
        return cls(
            _fingers(fingers),
            next((_THUMBS[thumb] for word in words if (thumb := word.removeprefix("thumb_")) in _THUMBS), None),
            next((_SPREADS[word] for word in words if word in _SPREADS), None),
            next((_FORMS[word] for word in words if word in _FORMS), None),
        )

    @classmethod
    def of_letters(cls, fingers: str, thumb: str, spread: str = "", form: str = "") -> Self:
        """Parse the cells of a data set of hands.

        Args:
            fingers: letters of I M R P, `0` for no finger; anything else leaves them open.
            thumb: `out` or `tucked`; anything else leaves it open.
            spread: `wide` or `compact`; anything else leaves it open.
            form: `straight` or `curled`; anything else leaves it open.
        """
        known = bool(fingers) and set(fingers) <= _LETTERS.keys()
        named = frozenset(_LETTERS[letter] for letter in fingers) if known else frozenset() if fingers == "0" else None
        return cls(named, _THUMBS.get(thumb), _SPREADS.get(spread), _FORMS.get(form))

    @property
    def kind(self) -> Kind | None:
        """Kind that the shape makes; None if the labels leave it open."""
        if self.fingers is None:
            return None
        if self.fingers == EAR_FINGERS:
            return Kind.EAR
        if self.fingers != FINGERS:
            return Kind.NEITHER
        return None if self.thumb is None else Kind.ANTLER if self.thumb is Thumb.OUT else Kind.EAR

    def as_kind(self, kind: Kind | None) -> HeadgearFields:
        """Return a kind with those of its fields that the labels give."""
        return HeadgearFields(
            kind,
            spread=self.spread if kind is Kind.ANTLER else None,
            form=self.form if kind is Kind.EAR else None,
        )


def _fingers(text: str) -> frozenset[str] | None:
    """Parse `index+middle`. `none` is the empty set, and a word that is not a finger leaves all of them open."""
    named = frozenset() if text == "none" else frozenset(text.split("+"))
    return named if named <= FINGERS else None
