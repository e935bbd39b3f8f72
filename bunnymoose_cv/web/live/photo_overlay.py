"""Cards that were read, drawn over the photograph they were read in; pure: a photograph's piles become SVG."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.web.art.card_art import SIZE, card_face
from bunnymoose_cv.web.art.ink import BAD, GOOD, SUN
from bunnymoose_cv.web.art.numerals import numerals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.card_photo import CardPhoto, SeenPile

_COVERS: Final = 0.62
"""Share of the seen card's height that the drawn one takes: the photograph stays visible round it."""

_WIDE: Final = 1000.0
"""Width of the drawing's own coordinates."""


def photo_overlay(photo: CardPhoto, texts: Texts) -> str:
    """Draw every pile: its outline, and the card that counts or a question mark. Decorative: words stand beside it."""
    height = _WIDE * photo.size[1] / photo.size[0]
    drawn = "".join(_pile(pile, height, texts) for pile in photo.piles if pile.corners)
    return f'<svg viewBox="0 0 {_WIDE:g} {height:.0f}" aria-hidden="true">{drawn}</svg>'


def _pile(pile: SeenPile, height: float, texts: Texts) -> str:
    points = [(x * _WIDE, y * height) for x, y in pile.corners]
    middle = sum(x for x, _ in points) / 4, sum(y for _, y in points) / 4
    side = _side(points) * _COVERS
    colour = SUN if pile.asked else GOOD
    outline = f'<polygon points="{_format_points(points)}" fill="none" stroke="{colour}" stroke-width="5"/>'
    if pile.asked or pile.card is None:
        return outline + _question(middle, side / 4)
    width = side * SIZE[0] / SIZE[1]
    place = f'x="{middle[0] - width / 2:.0f}" y="{middle[1] - side / 2:.0f}" width="{width:.0f}" height="{side:.0f}"'
    face = card_face(pile.card, texts).replace('role="img"', "").replace("<svg ", f"<svg {place} ", 1)
    return outline + face


def _question(middle: tuple[float, float], radius: float) -> str:
    disc = f'<circle cx="{middle[0]:.0f}" cy="{middle[1]:.0f}" r="{radius:.0f}" fill="{SUN}" stroke="{BAD}"/>'
    return disc + f'<g fill="none" stroke-linecap="round">{numerals("?", middle, radius, "#35261b")}</g>'


def _side(points: list[tuple[float, float]]) -> float:
    """Measure the longer side of a card: the mean of the edges from the first to the last corner and opposite."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = points
    return (hypot(ax - dx, ay - dy) + hypot(bx - cx, by - cy)) / 2


def _format_points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
