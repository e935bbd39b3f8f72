"""Line art and colours of headgear."""

from __future__ import annotations

import pytest

from bunnymoose_cv.drawing.headgear_signs import headgear_colour, headgear_sign
from bunnymoose_cv.drawing.strokes import GREY, SKY_BLUE, YELLOW, Colour
from bunnymoose_cv.rules.pose import ANTLERS, EARS, HEADGEARS, parse_headgear


def test_each_headgear_has_its_own_sign_and_words() -> None:
    """An ear's sign shows its form; where it stands, its words say."""
    antlers = {headgear_sign(antler) for antler in ANTLERS}
    ears = {headgear_sign(ear) for ear in EARS}
    assert (len(antlers), len(ears), len(antlers | ears)) == (4, 2, 6)


def test_every_point_of_a_sign_lies_in_its_square() -> None:
    points = [point for headgear in HEADGEARS for line in headgear_sign(headgear) for point in line]
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in points)


@pytest.mark.parametrize(("notation", "colour"), [("WU", SKY_BLUE), ("CD", SKY_BLUE), ("TF", YELLOW), ("--", GREY)])
def test_the_colour_tells_antlers_from_ears(notation: str, colour: Colour) -> None:
    assert headgear_colour(parse_headgear(notation)) == colour


def test_nothing_has_no_sign() -> None:
    assert headgear_sign(None) == ()
