"""The words of a hand agree with what it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.reasons import reasons_alone, reasons_at_head

if TYPE_CHECKING:
    from bunnymoose_cv.vision.landmarks import HandLandmarks
    from tests.vision.conftest import MakeHand, MakeHead


def folded(hand: HandLandmarks, *fingers: int) -> HandLandmarks:
    """A hand with some fingers (1 index … 4 little) folded back onto the palm."""
    points, world = hand.points.copy(), hand.world.copy()
    for joints in (points, world):
        for finger in fingers:
            root = 4 * finger + 1
            joints[root + 2] = 0.6 * joints[root] + 0.4 * joints[0]
            joints[root + 3] = 0.5 * joints[root] + 0.5 * joints[0]
    return replace(hand, points=points, world=world)


@pytest.mark.parametrize(
    ("away", "words"),
    [
        ((), "four fingers out"),
        ((4,), "three fingers out (index, middle, ring)"),
        ((3, 4), "two fingers out (index, middle)"),
        ((2, 3, 4), "one finger out (index)"),
        ((1, 2, 3, 4), "no finger straight out"),
    ],
)
def test_fingers_are_counted_and_named(make_hand: MakeHand, away: tuple[int, ...], words: str) -> None:
    assert words in reasons_alone(folded(make_hand(0, 0), *away))


def test_an_upside_down_hand_points_down(make_hand: MakeHand) -> None:
    hand = make_hand(0, 0)
    down = replace(hand, points=(hand.points * [1, -1, 1]).astype(np.float32))
    assert any(reason.startswith("fingers point up") for reason in reasons_alone(hand))
    assert any(reason.startswith("fingers point down") for reason in reasons_alone(down))


@pytest.mark.parametrize("tilt", [-30.0, 0.0, 30.0])
def test_the_heads_tilt_is_taken_out(make_head: MakeHead, make_hand: MakeHand, tilt: float) -> None:
    head = make_head(tilt=tilt)
    x, y = head.at(1.5, 0.3)
    upright = make_hand(0, 0)
    turn = np.radians(tilt)
    rotation = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    leaning = replace(upright, points=(upright.points @ rotation.T + [x, y, 0]).astype(np.float32))
    pointing = next(reason for reason in reasons_at_head(leaning, head, Side.LEFT) if "point" in reason)
    assert pointing == next(reason for reason in reasons_alone(upright) if "point" in reason).replace("picture", "head")


def test_thumb_and_temple_are_measured_in_eye_distances(make_head: MakeHead, make_hand: MakeHand) -> None:
    head = make_head(eyes=50)
    hand = make_hand(0, 0)
    leftward, upward = head.temple(Side.LEFT)
    at = np.array([*head.at(float(leftward) + 1, float(upward)), 0])
    moved = replace(hand, points=(hand.points - hand.points[4] + at).astype(np.float32))
    assert "thumb tip 1.0 eye distances from the temple" in reasons_at_head(moved, head, Side.LEFT)
