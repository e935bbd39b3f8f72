"""Headgear by itself: drawn for either side."""

from __future__ import annotations

from bunnymoose_cv.rules.pose import HEADGEARS, Side
from bunnymoose_cv.web.art.headgear_art import headgear_art
from tests.unit.web.art.svg import drawn


def test_headgear_by_itself_differs_by_side() -> None:
    for headgear in HEADGEARS:
        left, right = (headgear_art(headgear, side) for side in Side)
        drawn(left)
        assert (left == right) is (headgear is None)
