"""Line art: lines with a dark edge, plain and dashed, and the signs of headgear, in colours that remain distinct.

An antler is four tines on a stem, an ear a loop. The colours are those of Okabe and Ito (Color Universal Design, 2008),
which colour-blind viewers can tell apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np

from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Spread
from bunnymoose_cv.vision.geometry import Box

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.pose import Headgear
    from bunnymoose_cv.vision.geometry import Points


Colour: TypeAlias = tuple[int, int, int]
"""Colour as blue, green, red."""
BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
SKY_BLUE: Colour = (233, 180, 86)
YELLOW: Colour = (66, 228, 240)
ORANGE: Colour = (0, 159, 230)
GREY: Colour = (190, 190, 190)


def scaled(box: Box, scale: float) -> Box:
    """Scale a box and its position."""
    return Box(box.x * scale, box.y * scale, box.width * scale, box.height * scale)


def outline(box: Box) -> list[Points]:
    """Return the corners of a box as a closed line."""
    right, bottom = box.x + box.width, box.y + box.height
    corners = ((box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom), (box.x, box.y))
    return [np.array(corner, np.float32) for corner in corners]


def draw_line(canvas: Image, points: Sequence[Points], colour: Colour, thickness: int, *, dashed: bool = False) -> None:
    """Draw a line with a dark edge, so that it is visible on every background."""
    pieces = _dashes(points, 4 * thickness) if dashed else [np.asarray(points, np.float32)]
    stroke(canvas, pieces, BLACK, thickness + 2 * max(1, thickness // 2))
    stroke(canvas, pieces, colour, thickness)


def stroke(canvas: Image, pieces: Sequence[Points], colour: Colour, thickness: int) -> None:
    """Draw lines of one colour, with a precision of a sixteenth of a pixel."""
    sixteenths = [np.round(piece * 16).astype(np.int32) for piece in pieces]
    cv2.polylines(canvas, sixteenths, False, colour, thickness, cv2.LINE_AA, shift=4)


def _dashes(points: Sequence[Points], length: float) -> list[Points]:
    """Cut a line into dashes with gaps of the same length."""
    dashes = []
    for start, end in pairwise(points):
        count = max(1, round(float(np.linalg.norm(end - start)) / (2 * length)))
        for number in range(count):
            cuts = (number / count, (number + 0.5) / count)
            dashes.append(np.array([start + cut * (end - start) for cut in cuts], np.float32))
    return dashes


Line: TypeAlias = Sequence[tuple[float, float]]
"""Points of a sign, in units of its side: upper left corner (0, 0), lower right corner (1, 1)."""


def headgear_colour(headgear: Headgear) -> Colour:
    """Return the colour of an antler, an ear or nothing."""
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
    """Return the line art of a headgear, which is empty for a bare side."""
    if headgear is None:
        return ()
    if isinstance(headgear, Ear):
        return (_LOOPS[headgear.form],)
    lines = (_STEM, *((_STEM[1], tip) for tip in _TINES[headgear.spread]))
    if headgear.direction is Direction.UP:
        return lines
    return tuple(tuple((x, 1 - y) for x, y in line) for line in lines)
