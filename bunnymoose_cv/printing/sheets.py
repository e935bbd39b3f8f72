"""Printed sheets as vector PDFs: the deck with markers, crop marks and matching backs, and the mat.

Coordinates are millimetres from the top left corner. This is the only module that imports the PDF library.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from io import BytesIO
from itertools import groupby, pairwise, product
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from fpdf import FPDF

from bunnymoose_cv.art.card_art import card_back, card_face
from bunnymoose_cv.art.card_images import plain_svg
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.deck import face_numbers
from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, PLACE_COUNTS, PRINTED_CARD, Rectangle, card_marker, mat_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.vision.cards.mat import Marker, Mat


class Paper(Enum):
    """Standard sizes of paper."""

    A4 = "a4"
    LETTER = "letter"
    A3 = "a3"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Return width and height of the upright sheet."""
        return {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (297.0, 420.0)}[self.value]


class Segment(NamedTuple):
    """Straight line between two points."""

    x1: float
    y1: float
    x2: float
    y2: float


class PaperPoint(NamedTuple):
    """Top left corner of an object on a sheet."""

    x: float
    y: float

    def at(self, part: Rectangle) -> Self:
        """Return the corner of a part of the object that begins here."""
        return type(self)(self.x + part.x, self.y + part.y)


_HAIRLINE_MM: Final = 0.2


class _Canvas:
    """Pages of one size, in landscape format if `turned`."""

    def __init__(self, paper: Paper, title: str, *, turned: bool = False) -> None:
        self.pdf = FPDF(orientation="landscape" if turned else "portrait", unit="mm", format=paper.size_mm)
        self.pdf.set_auto_page_break(auto=False)
        self.pdf.set_margin(0)
        self.pdf.set_title(title)

    def art(self, svg: str, spot: PaperPoint, size_mm: tuple[float, float]) -> None:
        self.pdf.image(BytesIO(plain_svg(svg).encode()), x=spot.x, y=spot.y, w=size_mm[0], h=size_mm[1])

    def marker(self, marker: Marker, spot: PaperPoint) -> None:
        """Draw a marker with its top left corner at a spot, as one black rectangle for each run of dark cells."""
        self.pdf.set_fill_color(0)
        for row, cells in enumerate(marker.pattern.tolist()):
            for is_white, run in groupby(enumerate(cells), key=lambda cell: cell[1]):
                columns = [column for column, _ in run]
                if not is_white:
                    corner = spot.x + columns[0] * marker.cell, spot.y + row * marker.cell
                    self.pdf.rect(*corner, len(columns) * marker.cell, marker.cell, style="F")

    def lines(self, segments: Iterable[Segment], *, grey: int = 0) -> None:
        """Draw hairlines."""
        self.pdf.set_line_width(_HAIRLINE_MM)
        self.pdf.set_draw_color(grey)
        for segment in segments:
            self.pdf.line(*segment)

    def text(self, line: str, spot: PaperPoint, size_pt: float, *, grey: int = 0) -> None:
        """Write Latin-1 text whose baseline begins at a spot; other letters become `?`."""
        self.pdf.set_font("helvetica", style="B", size=size_pt)
        self.pdf.set_text_color(grey)
        self.pdf.text(spot.x, spot.y, line.encode("latin-1", "replace").decode("latin-1"))


ACROSS: Final = 3
DOWN: Final = 3

_MARK_MM: Final = (1.5, 5.5)
"""Distances of a crop mark's two ends from the outermost card."""


@dataclass(frozen=True, slots=True)
class DeckSheet:
    """One sheet of cards, with the same crop marks on both sides, to be turned over its long edge for the backs."""

    fronts: tuple[tuple[Card, PaperPoint], ...]
    backs: tuple[PaperPoint, ...]
    marks: tuple[Segment, ...]


def deck_sheets(cards: Sequence[Card], paper: Paper) -> tuple[DeckSheet, ...]:
    """Return the cards, in this order, on as many sheets as they need: nine in the middle of each."""
    (width, height), (across, down) = paper.size_mm, CARD_SIZE_MM
    left, top = (width - ACROSS * across) / 2, (height - DOWN * down) / 2
    marks = tuple(_marks(left, top))
    spots = [
        PaperPoint(left + column * across, top + row * down) for row, column in product(range(DOWN), range(ACROSS))
    ]
    sheets = []
    for start in range(0, len(cards), len(spots)):
        fronts = tuple(zip(cards[start : start + len(spots)], spots, strict=False))
        backs = tuple(PaperPoint(width - spot.x - across, spot.y) for _, spot in fronts)
        sheets.append(DeckSheet(fronts, backs, marks))
    return tuple(sheets)


def _marks(left: float, top: float) -> Iterator[Segment]:
    """Yield the crop marks at both ends of each cut, outside of the cards."""
    right, bottom = left + ACROSS * CARD_SIZE_MM[0], top + DOWN * CARD_SIZE_MM[1]
    near, far = _MARK_MM
    for column in range(ACROSS + 1):
        x = left + column * CARD_SIZE_MM[0]
        yield Segment(x, top - far, x, top - near)
        yield Segment(x, bottom + near, x, bottom + far)
    for row in range(DOWN + 1):
        y = top + row * CARD_SIZE_MM[1]
        yield Segment(left - far, y, left - near, y)
        yield Segment(right + near, y, right + far, y)


_LABEL_PT: Final = 13.0
_LETTER_MM: Final = 2.75
"""Width of a bold letter of the label's size."""


def deck_pdf(deck: Deck, paper: Paper, texts: Texts, *, backs: bool = True) -> bytes:
    """Return every card of a deck as PDF.

    Args:
        deck: its advanced cards come last.
        backs: whether a page of backs follows each page of fronts, for printing on both sides.

    Raises:
        InputError: the deck has more faces than there are markers.
    """
    numbers = face_numbers(deck)
    canvas = _Canvas(paper, deck.title)
    for sheet in deck_sheets((*deck.cards, *deck.advanced), paper):
        canvas.pdf.add_page()
        canvas.lines(sheet.marks)
        for card, spot in sheet.fronts:
            _draw_front(canvas, card, numbers[card], spot, texts)
        if backs:
            canvas.pdf.add_page()
            canvas.lines(sheet.marks)
            for spot in sheet.backs:
                canvas.art(card_back(), spot, CARD_SIZE_MM)
    return bytes(canvas.pdf.output())


def _draw_front(canvas: _Canvas, card: Card, number: int, spot: PaperPoint, texts: Texts) -> None:
    """Draw a face, with its marker and its notation below."""
    face, label = PRINTED_CARD.face, PRINTED_CARD.label
    try:
        marker = card_marker(number)
    except ValueError:
        raise InputError("The deck has more different faces than there are markers: leave some out.") from None
    canvas.art(card_face(card, texts), spot.at(face), (face.width, face.height))
    canvas.marker(marker, spot.at(marker.square))
    size_pt = min(_LABEL_PT, _LABEL_PT * label.width / (_LETTER_MM * len(str(card))))
    x, y = spot.at(label)
    canvas.text(str(card), PaperPoint(x, y + label.height / 2 + size_pt / 8), size_pt, grey=60)


_PLACE_GREY: Final = 205
"""Grey of the outline of a place, too light to be mistaken for the edge of a card."""

_OUTLINE_MM: Final = 0.4
_TICK_MM: Final = 6.0
_NUMBER_PT: Final = 16.0
_NOTE_PT: Final = 8.0
_TOLERANCE_MM: Final = 0.01
_UNPRINTED_MM: Final = 9.0
"""Width of the margin in which printers cannot print."""


def mat_pdf(places: int, paper: Paper, texts: Texts) -> bytes:
    """Return a mat as PDF: markers and outlined places, on sheets in landscape format to lay side by side.

    Args:
        places: 6 or 8.

    Raises:
        InputError: no mat has this number of places.
    """
    if places not in PLACE_COUNTS:
        raise InputError(f"There is a mat of {' or of '.join(map(str, PLACE_COUNTS))} places: choose one of them.")
    mat = mat_of(places)
    canvas = _Canvas(paper, f"Bunnymoose, {places}", turned=True)
    height, width = paper.size_mm
    parts = mat_parts(mat, paper)
    note = texts("print at 100 %, cut at the ticks, lay edge to edge on something flat")
    for number, part in enumerate(parts, 1):
        canvas.pdf.add_page()
        origin = PaperPoint((width - part.width) / 2 - part.x, (height - part.height) / 2 - part.y)
        _draw_part(canvas, mat, part, origin)
        sheet = texts("Sheet {number} of {count}", number=number, count=len(parts))
        canvas.text(f"{sheet}: {note}", PaperPoint(15, height - 6), _NOTE_PT, grey=110)
    return bytes(canvas.pdf.output())


def mat_parts(mat: Mat, paper: Paper) -> tuple[Rectangle, ...]:
    """Split a mat, only between places, into as few parts as fit a paper size: left to right, in its millimetres."""
    room = paper.size_mm[1] - 2 * _UNPRINTED_MM
    width, height = mat.size
    cuts = [(left.x + left.width + right.x) / 2 for left, right in pairwise(mat.places)]
    edges = [0.0]
    for cut, following in pairwise([*cuts, width, inf]):
        if following - edges[-1] > room:
            edges.append(cut)
    return tuple(Rectangle(left, 0.0, right - left, height) for left, right in pairwise(edges))


def _draw_part(canvas: _Canvas, mat: Mat, part: Rectangle, origin: PaperPoint) -> None:
    """Draw a part of a mat whose corner is at the origin."""
    for number, place in enumerate(mat.places, 1):
        if _is_within(place, part):
            x, y = origin.at(place)
            canvas.pdf.set_line_width(_OUTLINE_MM)
            canvas.pdf.set_draw_color(_PLACE_GREY)
            canvas.pdf.rect(x, y, place.width, place.height)
            canvas.text(str(number), PaperPoint(x + place.width / 2 - 2, y + place.height + 7), _NUMBER_PT)
    for marker in mat.markers:
        if _is_within(marker.square, part):
            canvas.marker(marker, origin.at(marker.square))
    canvas.lines(_seams(mat, part, origin), grey=120)


def _is_within(inner: Rectangle, part: Rectangle) -> bool:
    return part.x - _TOLERANCE_MM <= inner.x and inner.x + inner.width <= part.x + part.width + _TOLERANCE_MM


def _seams(mat: Mat, part: Rectangle, origin: PaperPoint) -> Iterator[Segment]:
    """Yield ticks where a part meets its neighbours, at which the paper is cut and laid edge to edge."""
    top, bottom = origin.y, origin.y + mat.size[1]
    for x in (part.x, part.x + part.width):
        if 0 < x < mat.size[0]:
            yield Segment(origin.x + x, top, origin.x + x, top + _TICK_MM)
            yield Segment(origin.x + x, bottom - _TICK_MM, origin.x + x, bottom)
