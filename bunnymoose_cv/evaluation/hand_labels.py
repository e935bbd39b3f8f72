"""Headgear of a hand by the rules, from a person's description of its fingers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.rules.pose import Form, Spread
from bunnymoose_cv.vision.headgear.headgear_reading import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

FINGERS = frozenset({"index", "middle", "ring", "pinky"})

_SPREADS = {"wide": Spread.WIDE, "compact": Spread.COMPACT}
_FORMS = {"straight": Form.STRAIGHT, "curled": Form.FLOPPY, "bent": Form.FLOPPY, "floppy": Form.FLOPPY}


class Thumb(Enum):
    """Position of the thumb."""

    OUT = "out"
    TUCKED = "tucked"


_THUMBS = {thumb.value: thumb for thumb in Thumb}


@dataclass(frozen=True, slots=True)
class HandLabels:
    """A hand as it was described; None where the words leave it open (“medium”, “five_bent”, nothing at all).

    Attributes:
        fingers: which of the four fingers are out.
        thumb: out or tucked in.
        spread: whether the fingers part.
        form: whether they are straight.
    """

    fingers: frozenset[str] | None
    thumb: Thumb | None
    spread: Spread | None
    form: Form | None

    @classmethod
    def of_hand(cls, labels: Mapping[str, str]) -> Self:
        """The labels of a hand by itself: `fingers_out=index+middle;spread=wide;shape=straight;thumb=tucked`."""
        return cls(
            _fingers(labels.get("fingers_out", "")),
            _THUMBS.get(labels.get("thumb", "")),
            _SPREADS.get(labels.get("spread", "")),
            _FORMS.get(labels.get("shape", "")),
        )

    @classmethod
    def of_side(cls, text: str) -> Self:
        """The label of one side of a head: `index+middle/compact/straight/thumb_tucked`, `none/fist`."""
        fingers, *words = re.sub(r"\(.*?\)", "", text).split("/")
        return cls(
            _fingers(fingers),
            next((_THUMBS[thumb] for word in words if (thumb := word.removeprefix("thumb_")) in _THUMBS), None),
            next((_SPREADS[word] for word in words if word in _SPREADS), None),
            next((_FORMS[word] for word in words if word in _FORMS), None),
        )

    @property
    def kind(self) -> Kind | None:
        """Kind of the hand wherever it stands (RULES.md section 1); None where the labels leave it open.

        Four fingers are an antler with the thumb out and an ear with the thumb tucked in; index and middle finger are
        an ear with the thumb tucked in; any other number of fingers, and two fingers with the thumb out, are neither.
        Two fingers that are no neighbours are left open.
        """
        if self.fingers is None:
            return None
        if len(self.fingers) not in {2, 4}:
            return Kind.NEITHER
        if self.thumb is None:
            return None
        if self.thumb is Thumb.OUT:
            return Kind.ANTLER if self.fingers == FINGERS else Kind.NEITHER
        return Kind.EAR if self.fingers in (FINGERS, {"index", "middle"}) else None


def _fingers(text: str) -> frozenset[str] | None:
    """The fingers of `index+middle`; `none` is no finger; a word that is no finger leaves all of them open."""
    named = frozenset() if text == "none" else frozenset(text.split("+"))
    return named if named <= FINGERS else None
