"""Joint distribution of both sides: margins stay, alike kinds go together."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bunnymoose_cv.rules.pose import ANTLERS, EARS, HEADGEARS
from bunnymoose_cv.vision.headgear.both_sides import both_sides
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.headgear.logit_scaling import shipped_scaling

ASSOCIATION = shipped_scaling().pairs_of_hands

shares = st.floats(0.0, 1.0)


@st.composite
def sides(draw: st.DrawFn) -> HeadgearProbabilities:
    weights = draw(st.lists(shares, min_size=3, max_size=3).filter(any))
    antler, ear, neither = (weight / sum(weights) for weight in weights)
    return HeadgearProbabilities(antler, ear, neither, *(draw(shares) for _ in range(4)))


@given(sides(), sides())
@example(HeadgearProbabilities(0.6, 0, 0.4, 0, 0, 0, 0), HeadgearProbabilities(7 / 11, 0, 4 / 11, 0, 0, 0, 0))
def test_each_side_by_itself_keeps_its_probabilities(left: HeadgearProbabilities, right: HeadgearProbabilities) -> None:
    found = both_sides(left, right, ASSOCIATION)
    for place, side in enumerate((left, right)):
        summed: dict[object, float] = defaultdict(float)
        for pair, probability in found.items():
            assert probability >= 0
            summed[pair[place]] += probability
        assert {headgear: summed[headgear] for headgear in HEADGEARS} == pytest.approx(side.distribution, abs=1e-4)


def kinds(antler: float, ear: float) -> HeadgearProbabilities:
    return HeadgearProbabilities(antler, ear, 1 - antler - ear)


@pytest.mark.parametrize("side", [kinds(0.2, 0.0), kinds(0.05, 0.1), kinds(0.9, 0.0)])
def test_two_doubtful_sides_are_alike_oftener_than_two_heads_would_be(side: HeadgearProbabilities) -> None:
    found = both_sides(side, side, ASSOCIATION)
    assert sum(found[one, other] for one in ANTLERS for other in ANTLERS) > side.antler**2
    assert sum(found[one, other] for one in EARS for other in EARS) >= side.ear**2
    assert found[None, None] > side.neither**2


def test_a_bush_is_no_surer_than_its_surer_side() -> None:
    """Two ears that are doubtfully nothing are a bush if one is none: independent sides would hardly doubt it."""
    side = kinds(0.0, 0.2)
    found = both_sides(side, side, ASSOCIATION)
    rabbit = sum(found[one, other] for one in EARS for other in EARS)
    assert 0.1 < rabbit < 0.2


def test_a_sure_side_leaves_the_other_as_it_is() -> None:
    doubtful = kinds(0.3, 0.3)
    found = both_sides(kinds(1.0, 0.0), doubtful, ASSOCIATION)
    assert sum(found[one, None] for one in ANTLERS) == pytest.approx(doubtful.neither)


def test_without_an_association_both_sides_are_independent() -> None:
    left, right = kinds(0.3, 0.5), kinds(0.1, 0.2)
    found = both_sides(left, right, np.ones((3, 3), np.float32))
    for pair in product(HEADGEARS, HEADGEARS):
        assert found[pair] == pytest.approx(left.distribution[pair[0]] * right.distribution[pair[1]])
