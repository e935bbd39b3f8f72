"""From probabilities to a headgear with what is unclear; the shipped net itself is measured in test_reader.py."""

from __future__ import annotations

import pytest

from bunnymoose_cv.profile import load_profile
from bunnymoose_cv.rules.pose import Headgear, parse_headgear
from bunnymoose_cv.vision.headgear import NO_HAND, Field, HeadgearProbabilities

LIMITS = load_profile().headgear


@pytest.mark.parametrize(
    ("probabilities", "headgear", "unclear"),
    [
        (HeadgearProbabilities(0.98, 0.01, 0.01, wide=0.99, up=0.97), "WU", ()),
        (HeadgearProbabilities(0.98, 0.01, 0.01, wide=0.45, up=0.03), "CD", (Field.SPREAD,)),
        (HeadgearProbabilities(0.55, 0.25, 0.20, wide=0.99, up=0.5), "WU", (Field.KIND, Field.DIRECTION)),
        (HeadgearProbabilities(0.01, 0.98, 0.01, straight=0.98, top=0.01), "SS", ()),
        (HeadgearProbabilities(0.01, 0.98, 0.01, straight=0.02, top=0.6), "TF", (Field.PLACE,)),
        (HeadgearProbabilities(0.01, 0.01, 0.98, wide=0.5, up=0.5, straight=0.5, top=0.5), "--", ()),
        (HeadgearProbabilities(0.4, 0.1, 0.5), "--", (Field.KIND,)),
    ],
)
def test_the_likeliest_headgear_and_what_is_unclear(
    probabilities: HeadgearProbabilities, headgear: str, unclear: tuple[Field, ...]
) -> None:
    expected: Headgear = parse_headgear(headgear)
    assert probabilities.headgear == expected
    assert probabilities.unclear(LIMITS) == unclear


def test_confidence_is_that_of_every_field_of_the_kind_together() -> None:
    antler = HeadgearProbabilities(0.9, 0.05, 0.05, wide=0.8, up=0.1, straight=0.5, top=0.5)
    assert antler.confidence == pytest.approx(0.9 * 0.8 * 0.9)
    assert HeadgearProbabilities(0.1, 0.1, 0.8, wide=0.5).confidence == pytest.approx(0.8)


def test_a_hand_that_is_not_found_is_no_headgear_and_never_sure() -> None:
    assert NO_HAND.headgear is None
    assert NO_HAND.unclear(LIMITS) == (Field.KIND,)
