"""Lines with a dark edge, plain and dashed, in colours that colour-blind people tell apart.

The colours are those of Okabe and Ito (Color Universal Design, 2008).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np

from bunnymoose_cv.vision.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.geometry import Points

Colour: TypeAlias = tuple[int, int, int]
"""Blue, green, red."""
BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
SKY_BLUE: Colour = (233, 180, 86)
YELLOW: Colour = (66, 228, 240)
ORANGE: Colour = (0, 159, 230)
GREY: Colour = (190, 190, 190)


def scaled(box: Box, scale: float) -> Box:
    """Scale a box with its place."""
    return Box(box.x * scale, box.y * scale, box.width * scale, box.height * scale)


def outline(box: Box) -> list[Points]:
    """Corners of a box, the first again at the end."""
    right, bottom = box.x + box.width, box.y + box.height
    corners = ((box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom), (box.x, box.y))
    return [np.array(corner, np.float32) for corner in corners]


def draw_line(canvas: Image, points: Sequence[Points], colour: Colour, thickness: int, *, dashed: bool = False) -> None:
    """Draw a line with a dark edge, so that it shows on every ground."""
    pieces = _dashes(points, 4 * thickness) if dashed else [np.asarray(points, np.float32)]
    stroke(canvas, pieces, BLACK, thickness + 2 * max(1, thickness // 2))
    stroke(canvas, pieces, colour, thickness)


def stroke(canvas: Image, pieces: Sequence[Points], colour: Colour, thickness: int) -> None:
    """Draw lines of one colour, placed to a sixteenth of a pixel."""
    sixteenths = [np.round(piece * 16).astype(np.int32) for piece in pieces]
    cv2.polylines(canvas, sixteenths, False, colour, thickness, cv2.LINE_AA, shift=4)


def _dashes(points: Sequence[Points], length: float) -> list[Points]:
    """Cut a line into dashes with gaps as long."""
    dashes = []
    for start, end in pairwise(points):
        count = max(1, round(float(np.linalg.norm(end - start)) / (2 * length)))
        for number in range(count):
            cuts = (number / count, (number + 0.5) / count)
            dashes.append(np.array([start + cut * (end - start) for cut in cuts], np.float32))
    return dashes
