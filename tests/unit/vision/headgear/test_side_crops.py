"""Squares around both sides of a head, and what of a hand is in them."""

import pytest

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.side_net import share_in_cut
from tests.unit.vision.made_heads import make_hand, make_head


@pytest.mark.parametrize("tilt", [0, 25])
@pytest.mark.parametrize(
    ("leftward", "upward", "on_left", "on_right"),
    [
        pytest.param(0.0, 0.8, True, True, id="in front of the forehead"),
        pytest.param(2.0, 0.5, True, False, id="beside the left temple"),
        pytest.param(-2.0, 0.5, False, True, id="beside the right temple"),
        pytest.param(0.0, -4.0, False, False, id="in front of the chest"),
    ],
)
def test_hand_in_front_of_the_face_is_in_the_squares_of_both_sides(
    leftward: float, upward: float, tilt: float, *, on_left: bool, on_right: bool
) -> None:
    head = make_head(tilt=tilt)
    hand = make_hand(*head.at(leftward, upward), palm=40)
    assert (share_in_cut(hand.points, head, Side.LEFT) > 0.5) is on_left
    assert (share_in_cut(hand.points, head, Side.RIGHT) > 0.5) is on_right
