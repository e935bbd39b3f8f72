"""Card positions on sheets: three by three, edge to edge, with crop marks and backs that meet their fronts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM
from bunnymoose_cv.web.printing.paper import PaperPoint, Segment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.web.printing.paper import Paper

ACROSS: Final = 3
DOWN: Final = 3

_MARK_MM: Final = (1.5, 5.5)
"""A crop mark begins and ends so far from the outermost card."""


@dataclass(frozen=True, slots=True)
class DeckSheet:
    """One sheet of cards.

    Attributes:
        fronts: each card with its place.
        backs: the places of the backs, for a sheet that is turned over its long edge.
        marks: crop marks, the same on both sides.
    """

    fronts: tuple[tuple[Card, PaperPoint], ...]
    backs: tuple[PaperPoint, ...]
    marks: tuple[Segment, ...]


def deck_sheets(cards: Sequence[Card], paper: Paper) -> tuple[DeckSheet, ...]:
    """Lay cards out on as many sheets as they need.

    Args:
        cards: in the order of the print.
        paper: A4 or Letter; larger sheets hold nine cards in their middle, too.
    """
    marks = tuple(_marks(paper))
    spots = tuple(spot_of(row, column, paper) for row, column in product(range(DOWN), range(ACROSS)))
    width = paper.size_mm[0]
    sheets = []
    for start in range(0, len(cards), len(spots)):
        fronts = tuple(zip(cards[start : start + len(spots)], spots, strict=False))
        backs = tuple(PaperPoint(width - spot.x - CARD_SIZE_MM[0], spot.y) for _, spot in fronts)
        sheets.append(DeckSheet(fronts, backs, marks))
    return tuple(sheets)


def spot_of(row: int, column: int, paper: Paper) -> PaperPoint:
    """Place the card of a row and a column, counted from 0."""
    left, top = _margins(paper)
    return PaperPoint(left + column * CARD_SIZE_MM[0], top + row * CARD_SIZE_MM[1])


def _margins(paper: Paper) -> tuple[float, float]:
    """Left and top margin of the centred grid."""
    width, height = paper.size_mm
    return (width - ACROSS * CARD_SIZE_MM[0]) / 2, (height - DOWN * CARD_SIZE_MM[1]) / 2


def _marks(paper: Paper) -> Iterator[Segment]:
    """Draw each cut's line outside of the cards at both of its ends."""
    left, top = _margins(paper)
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
