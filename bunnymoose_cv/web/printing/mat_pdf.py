"""The mat: four markers and outlined places, on A4 or Letter sheets to lay side by side, or on A3."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.vision.cards.mat import PLACE_COUNTS, Rectangle, mat_of
from bunnymoose_cv.web.printing.canvas import Canvas
from bunnymoose_cv.web.printing.paper import Paper, PaperPoint, Segment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.vision.cards.mat import Mat

_PLACE_GREY: Final = 205
"""Light: the outline of a place must never pass for the edge of a card."""

_OUTLINE_MM: Final = 0.4
_TICK_MM: Final = 6.0
_NUMBER_PT: Final = 16.0
_NOTE_PT: Final = 8.0
_TOLERANCE_MM: Final = 0.01
_UNPRINTED_MM: Final = 9.0
"""Along its edges no printer prints so far."""


def mat_pdf(places: int, paper: Paper, texts: Texts) -> bytes:
    """Print the mat of so many places.

    Args:
        places: 6 or 8.
        paper: of the sheets, which lie on their long edge.

    Raises:
        InputError: there is no mat of so many places.
    """
    if places not in PLACE_COUNTS:
        raise InputError(f"There is a mat of {' or of '.join(map(str, PLACE_COUNTS))} places: choose one of them.")
    mat = mat_of(places)
    canvas = Canvas(paper, f"Bunnymoose, {places}", turned=True)
    parts = mat_parts(mat, paper)
    for number, part in enumerate(parts, 1):
        canvas.page()
        _draw(canvas, mat, part, _origin(part, paper))
        _note(canvas, paper, texts("Sheet {number} of {count}", number=number, count=len(parts)), texts)
    return canvas.content()


def mat_parts(mat: Mat, paper: Paper) -> tuple[Rectangle, ...]:
    """Cut a mat for a paper, between two places and never through one, into as few parts as fit across.

    Returns:
        Parts of the mat from left to right, in its millimetres.
    """
    room = paper.size_mm[1] - 2 * _UNPRINTED_MM
    width, height = mat.size
    cuts = [(left.x + left.width + right.x) / 2 for left, right in pairwise(mat.places)]
    edges = [0.0]
    for cut, following in pairwise([*cuts, width, inf]):
        if following - edges[-1] > room:
            edges.append(cut)
    return tuple(Rectangle(left, 0.0, right - left, height) for left, right in pairwise(edges))


def _origin(part: Rectangle, paper: Paper) -> PaperPoint:
    """Place the mat's own corner on a page so that the part is in its middle."""
    height, width = paper.size_mm
    return PaperPoint((width - part.width) / 2 - part.x, (height - part.height) / 2 - part.y)


def _draw(canvas: Canvas, mat: Mat, part: Rectangle, origin: PaperPoint) -> None:
    for number, place in enumerate(mat.places, 1):
        if _lies_in(place, part):
            canvas.outline(origin.at(place), (place.width, place.height), width_mm=_OUTLINE_MM, grey=_PLACE_GREY)
            below = origin.at(place)
            canvas.text(str(number), PaperPoint(below.x + place.width / 2 - 2, below.y + place.height + 7), _NUMBER_PT)
    for marker in mat.markers:
        if _lies_in(marker.square, part):
            canvas.marker(marker, origin.at(marker.square))
    canvas.lines(_seams(mat, part, origin), grey=120)


def _lies_in(inner: Rectangle, part: Rectangle) -> bool:
    return part.x - _TOLERANCE_MM <= inner.x and inner.x + inner.width <= part.x + part.width + _TOLERANCE_MM


def _seams(mat: Mat, part: Rectangle, origin: PaperPoint) -> Iterator[Segment]:
    """Mark with ticks where a part meets its neighbours; there the paper is cut, and laid edge to edge."""
    top, bottom = origin.y, origin.y + mat.size[1]
    for x in (part.x, part.x + part.width):
        if 0 < x < mat.size[0]:
            yield Segment(origin.x + x, top, origin.x + x, top + _TICK_MM)
            yield Segment(origin.x + x, bottom - _TICK_MM, origin.x + x, bottom)


def _note(canvas: Canvas, paper: Paper, which: str, texts: Texts) -> None:
    """Write below the mat which sheet it is and how to print it, outside of what is laid together."""
    note = texts("print at 100 %, cut at the ticks, lay edge to edge on something flat")
    canvas.text(f"{which}: {note}", PaperPoint(15, paper.size_mm[0] - 6), _NOTE_PT, grey=110)
