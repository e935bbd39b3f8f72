"""Line art and colours of headgear: four tines on their stem for an antler, a loop for an ear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.drawing.strokes import (
    GREY,
    SKY_BLUE,
    YELLOW,
    Colour,
)
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Spread

if TYPE_CHECKING:
    from bunnymoose_cv.rules.pose import Headgear

Line: TypeAlias = Sequence[tuple[float, float]]
"""Points of a sign, in its side: left upper corner (0, 0), right lower corner (1, 1)."""


def headgear_colour(headgear: Headgear) -> Colour:
    """Colour of an antler, an ear or nothing."""
    if isinstance(headgear, Antler):
        return SKY_BLUE
    return YELLOW if isinstance(headgear, Ear) else GREY


_STEM = ((0.5, 1.0), (0.5, 0.62))


_TINES = {
    Spread.WIDE: ((0.06, 0.3), (0.34, 0.03), (0.66, 0.03), (0.94, 0.3)),
    Spread.COMPACT: ((0.38, 0.06), (0.46, 0.0), (0.54, 0.0), (0.62, 0.06)),
}


_LOOPS: Mapping[Form, Line] = {
    Form.STRAIGHT: ((0.38, 1.0), (0.28, 0.5), (0.38, 0.08), (0.5, 0.0), (0.62, 0.08), (0.72, 0.5), (0.62, 1.0)),
    Form.FLOPPY: (
        *((0.3, 1.0), (0.26, 0.5), (0.36, 0.18), (0.6, 0.08), (0.84, 0.25)),
        *((0.94, 0.62), (0.82, 0.72), (0.68, 0.46), (0.56, 0.42), (0.54, 1.0)),
    ),
}


def headgear_sign(headgear: Headgear) -> Sequence[Line]:
    """The line art of a headgear; none for nothing."""
    if headgear is None:
        return ()
    if isinstance(headgear, Ear):
        return (_LOOPS[headgear.form],)
    lines = (_STEM, *((_STEM[1], tip) for tip in _TINES[headgear.spread]))
    if headgear.direction is Direction.UP:
        return lines
    return tuple(tuple((x, 1 - y) for x, y in line) for line in lines)
