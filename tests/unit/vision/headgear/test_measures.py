"""Measures of a hand are those that its reasons tell, against the same limits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.rules.pose import Side, parse_headgear
from bunnymoose_cv.vision.headgear.measures import LIMITS, Quantity, Zone, measures_alone, measures_at_head
from bunnymoose_cv.vision.headgear.reasons import reasons_at_head

if TYPE_CHECKING:
    from bunnymoose_cv.vision.readings import FrameReading
    from tests.unit.vision.conftest import MakeHand, MakeHead


@pytest.mark.parametrize("quantity", Quantity)
def test_a_value_lies_below_between_or_above_its_limits(quantity: Quantity) -> None:
    low, high = LIMITS[quantity]
    assert low < high
    assert [Zone.of(quantity, value) for value in (low - 0.01, low, high, high + 0.01)] == [
        Zone.BELOW,
        Zone.BETWEEN,
        Zone.BETWEEN,
        Zone.ABOVE,
    ]


def test_the_reasons_tell_what_was_measured(party: FrameReading) -> None:
    """Every hand of two rendered players: the numbers in the words are those that stand on the gauges."""
    words_of = {
        Quantity.PARTING: {Zone.BELOW: "apart, touching", Zone.BETWEEN: "apart, neither", Zone.ABOVE: "apart, parted"},
        Quantity.STRAIGHTNESS: {
            Zone.BELOW: "fingers curled",
            Zone.BETWEEN: "half bent",
            Zone.ABOVE: "fingers straight",
        },
        Quantity.POINTING: {Zone.BELOW: "point up", Zone.BETWEEN: "sideways", Zone.ABOVE: "point down"},
    }
    told = 0
    for reading in party.players:
        for side, hand in reading.player.hands.items():
            measured = measures_at_head(hand, reading.player.head, side)
            reasons = reasons_at_head(measured, reading.headgear[side].headgear)
            text = "; ".join(reason for reason in reasons if not reason.startswith("the picture shows"))
            assert measured.parting is None or "apart" not in text or f"fingers {measured.parting:.0f}° apart" in text
            assert measured.temple is not None
            assert "off the temple" not in text or f"thumb about {6 * measured.temple:.0f} cm off" in text
            for quantity, words in words_of.items():
                zone = measured.zone(quantity)
                others = [word for each, word in words.items() if each is not zone]
                assert not any(word in text for word in others), (quantity, zone, text)
                told += zone is not None and words[zone] in text
    assert told >= 6


def test_a_hand_by_itself_has_no_place_at_a_head(make_hand: MakeHand) -> None:
    measured = measures_alone(make_hand(0, 0))
    assert measured.temple is None
    assert measured.gap is None
    assert measured.zone(Quantity.HEIGHT) is None
    assert measured.zone(Quantity.POINTING) is Zone.BELOW


@pytest.mark.parametrize(("leftward", "gap"), [(0.5, 0.0), (1.8, 0.45), (2.9, 1.55)])
def test_the_gap_is_the_nearest_joints_distance_from_the_heads_outline(
    make_head: MakeHead, make_hand: MakeHand, leftward: float, gap: float
) -> None:
    head = make_head()
    hand = make_hand(0, 0)
    nearest = hand.points[hand.points[:, 0].argmin()]
    at = np.array([*head.at(leftward, 0.35), 0])
    beside = replace(hand, points=(hand.points - nearest + at).astype(np.float32))
    assert measures_at_head(beside, head, Side.LEFT).gap == pytest.approx(gap, abs=0.05)


def test_a_wide_antler_has_its_thumb_out_and_its_fingers_parted(party: FrameReading) -> None:
    """The moose at the right, whose both antlers point up."""
    moose = next(each for each in party.players if str(each.pose) == "WU WU")
    assert moose.headgear[Side.LEFT].headgear == parse_headgear("WU")
    measured = [measures_at_head(hand, moose.player.head, side) for side, hand in moose.player.hands.items()]
    assert len(measured) == 2
    assert {each.zone(Quantity.PARTING) for each in measured} == {Zone.ABOVE}
    assert {each.zone(Quantity.THUMB) for each in measured} == {Zone.ABOVE}
    assert {each.zone(Quantity.POINTING) for each in measured} == {Zone.BELOW}
