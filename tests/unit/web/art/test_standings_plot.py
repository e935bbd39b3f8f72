"""The plot of the standings: every player's two lines, told apart without colours, whatever the names are."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.web.art.standings_plot import (
    StandingsLine,
    apart,
    standings_plot,
    symbol_path,
)

SYMBOLS = "●▲■◆★✚"


def line(number: int, rear: tuple[int, ...], player: str | None = None) -> StandingsLine:
    front = tuple(space + 3 for space in rear)
    return StandingsLine(player or f"Player {number}", f"var(--player-{number + 1})", SYMBOLS[number], rear, front)


def drawn(lines: list[StandingsLine]) -> ET.Element:
    return ET.fromstring(standings_plot(lines, Texts()))  # noqa: S314 - our own SVG


def test_every_player_has_two_lines_a_name_and_a_symbol_of_their_own() -> None:
    svg = drawn([line(number, (5, 5 + number, 7)) for number in range(6)])
    names = [text.text for text in svg.iter("text")]
    assert all(f"Player {number}" in names for number in range(6))
    ways = [path.attrib for path in svg.iter("path") if path.attrib.get("stroke-width") in {"2", "4"}]
    assert sum(way.get("stroke-dasharray") is not None for way in ways) == 6
    outlines = {symbol_path(symbol, (0, 0)) for symbol in SYMBOLS}
    assert len(outlines) == len(SYMBOLS)


def test_a_screen_reader_hears_who_is_ahead_first() -> None:
    label = drawn([line(0, (5, 6), "Anna"), line(1, (5, 9), "Ben")]).attrib["aria-label"]
    assert label == (
        "Standings after round 1; Ben: rear figure on space 9, front figure on space 12; "
        "Anna: rear figure on space 6, front figure on space 9"
    )


def test_a_long_name_ends_within_the_plot() -> None:
    svg = drawn([line(0, (5, 6), "Maximiliane-Sophie")])
    name = next(text for text in svg.iter("text") if str(text.text).startswith("Maxi"))
    letter_width = 0.64 * float(name.attrib["font-size"])
    assert float(name.attrib["x"]) + letter_width * len(str(name.text)) <= 960


def test_a_name_is_never_markup() -> None:
    name = '<script>alert("x")</script>&'
    svg = drawn([line(0, (5, 6), name)])
    assert not list(svg.iter("script"))
    assert name in svg.attrib["aria-label"]


@pytest.mark.parametrize("rear", [(5,), (5, 5), (5, *range(5, 40)), (-20, 60)])
def test_any_evening_can_be_drawn_within_the_plot(rear: tuple[int, ...]) -> None:
    svg = drawn([line(0, rear)])
    assert all(0 <= float(text.attrib["x"]) <= 960 and 0 <= float(text.attrib["y"]) <= 480 for text in svg.iter("text"))


@given(st.lists(st.floats(0, 400), min_size=1, max_size=6))
def test_names_never_cover_each_other_and_keep_their_order(wanted: list[float]) -> None:
    heights = apart(wanted, 26, 10, 420)
    assert all(low + 26 <= high + 1e-6 for low, high in pairwise(sorted(heights)))
    assert all(10 - 1e-6 <= height <= 420 + 1e-6 for height in heights)
    ordered = sorted(range(len(wanted)), key=lambda each: (wanted[each], each))
    assert [heights[each] for each in ordered] == sorted(heights)
