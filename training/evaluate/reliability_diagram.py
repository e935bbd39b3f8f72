"""Reliability diagram as an SVG image: confidence to the right, accuracy upwards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from training.evaluate.reliability import Bin, Reliability

PANEL: Final = 150
"""Side of one field's square, in units of the drawing."""


MARGIN: Final = 45


COLUMNS: Final = 3


LARGEST_DOT: Final = 9.0


SMALLEST_DOT: Final = 1.5


def reliability_diagram(fields: Sequence[Reliability]) -> str:
    """Draw a square for each field: a dot for each bin, larger for more readings, with its 95 % interval.

    Dots on the dashed line are as often right as they say, above it more often.
    """
    step = PANEL + MARGIN
    rows = math.ceil(len(fields) / COLUMNS)
    width, height = COLUMNS * step + MARGIN, rows * step + MARGIN
    panels = (
        f'<g transform="translate({MARGIN + index % COLUMNS * step} {MARGIN + index // COLUMNS * step})">'
        f"{''.join(_panel(field))}</g>"
        for index, field in enumerate(fields)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="11">'
        f'<rect width="{width}" height="{height}" fill="white"/>{"".join(panels)}</svg>\n'
    )


def _panel(field: Reliability) -> Iterator[str]:
    yield f'<rect width="{PANEL}" height="{PANEL}" fill="none" stroke="#999"/>'
    yield f'<line x1="{_x(0.5):.1f}" y1="{_y(0.5):.1f}" x2="{PANEL}" y2="0" stroke="#999" stroke-dasharray="4 3"/>'
    yield f'<text x="0" y="-8" font-weight="bold">{field.field}</text>'
    yield f'<text x="{PANEL}" y="-8" text-anchor="end">error {field.error:.1%}</text>'
    for mark in (0.5, 0.75, 1.0):
        yield f'<text x="{_x(mark):.1f}" y="{PANEL + 13}" text-anchor="middle">{mark}</text>'
    for mark in (0.0, 0.5, 1.0):
        yield f'<text x="-5" y="{_y(mark) + 4:.1f}" text-anchor="end">{mark}</text>'
    most = max(own.right.total for own in field.bins)
    for own in field.bins:
        yield from _dot(own, most)


def _dot(own: Bin, most: int) -> Iterator[str]:
    x, (low, high) = _x(own.confidence), own.right.interval
    radius = max(SMALLEST_DOT, LARGEST_DOT * math.sqrt(own.right.total / most))
    yield f'<line x1="{x:.1f}" y1="{_y(low):.1f}" x2="{x:.1f}" y2="{_y(high):.1f}" stroke="#0072b2"/>'
    yield (
        f'<circle cx="{x:.1f}" cy="{_y(own.right.rate):.1f}" r="{radius:.1f}" fill="#0072b2" fill-opacity="0.7">'
        f"<title>{own.right.count} of {own.right.total} right, said {own.confidence:.0%}</title></circle>"
    )


def _x(confidence: float) -> float:
    """Place of a confidence in its square, which spans from a third, the least that a kind can have, to 1."""
    return (confidence - 1 / 3) / (1 - 1 / 3) * PANEL


def _y(rate: float) -> float:
    return (1 - rate) * PANEL
