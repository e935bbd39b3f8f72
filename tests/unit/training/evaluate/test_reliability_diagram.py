"""Reliability diagram: a square for each field, a dot for each bin."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from training.evaluate.reliability import Bin, Reliability
from training.evaluate.reliability_diagram import LARGEST_DOT, MARGIN, PANEL, SMALLEST_DOT, reliability_diagram
from training.evaluate.shares import Share

SVG = "{http://www.w3.org/2000/svg}"
KIND = Reliability("kind", (Bin(0.5, Share(4, 2)), Bin(1.0, Share(400, 400))))


def drawn(*fields: Reliability) -> ET.Element:
    return ET.fromstring(reliability_diagram(fields))  # noqa: S314 - our own text


def test_a_dot_stands_at_its_confidence_and_rate_and_grows_with_its_readings() -> None:
    few, many = drawn(KIND).iter(f"{SVG}circle")
    assert (float(few.attrib["cx"]), float(few.attrib["cy"])) == (PANEL / 4, PANEL / 2)
    assert (float(many.attrib["cx"]), float(many.attrib["cy"])) == (PANEL, 0)
    assert (float(few.attrib["r"]), float(many.attrib["r"])) == (SMALLEST_DOT, LARGEST_DOT)
    assert few.findtext(f"{SVG}title") == "2 of 4 right, said 50%"


@pytest.mark.parametrize(("count", "rows", "last"), [(1, 1, (0, 0)), (3, 1, (2, 0)), (4, 2, (0, 1))])
def test_three_squares_stand_in_a_row(count: int, rows: int, last: tuple[int, int]) -> None:
    root, step = drawn(*[KIND] * count), PANEL + MARGIN
    panels = root.findall(f"{SVG}g")
    assert len(panels) == count
    assert root.attrib["viewBox"] == f"0 0 {3 * step + MARGIN} {rows * step + MARGIN}"
    across, down = (MARGIN + place * step for place in last)
    assert panels[-1].attrib["transform"] == f"translate({across} {down})"


def test_a_square_says_its_field_and_error() -> None:
    texts = [text.text for text in drawn(KIND).iter(f"{SVG}text")]
    assert texts[:2] == ["kind", f"error {KIND.error:.1%}"]


def test_without_a_field_the_drawing_is_empty() -> None:
    assert drawn().findall(f"{SVG}g") == []
