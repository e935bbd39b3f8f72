"""Sheets of paper and straight lines on them, in millimetres from the top left corner."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from bunnymoose_cv.vision.cards.mat import Rectangle


class Paper(Enum):
    """A sheet that printers know, upright."""

    A4 = "a4"
    LETTER = "letter"
    A3 = "a3"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the upright sheet."""
        return _SIZES_MM[self]


_SIZES_MM = {Paper.A4: (210.0, 297.0), Paper.LETTER: (215.9, 279.4), Paper.A3: (297.0, 420.0)}


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight line from one point to another, in millimetres."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class PaperPoint:
    """The top left corner of something on a sheet, in millimetres."""

    x: float
    y: float

    def at(self, part: Rectangle) -> Self:
        """The corner of a part of what begins here."""
        return type(self)(self.x + part.x, self.y + part.y)
