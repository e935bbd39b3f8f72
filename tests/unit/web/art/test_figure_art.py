"""Wooden figures: told apart by symbols, coloured by the page."""

from __future__ import annotations

from itertools import product

from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.web.art.figure_art import SYMBOLS, figure_art
from tests.unit.web.art.svg import drawn


def test_there_are_twelve_figures_and_the_symbol_tells_them_apart_without_colour() -> None:
    figures = {figure_art(animal, "grey", sign) for animal, sign in product((Animal.MOOSE, Animal.RABBIT), SYMBOLS)}
    assert len(figures) == 12
    for figure in figures:
        assert drawn(figure).attrib["aria-hidden"] == "true"
    assert 'fill="var(--player-3)"' in figure_art(Animal.MOOSE, "var(--player-3)", "■")
