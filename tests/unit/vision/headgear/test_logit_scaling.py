"""Probabilities of headgear: they sum to one, and the pairwise prior links both sides of a head."""

from collections import defaultdict
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.rules.pose import ANTLERS, EARS, HEADGEARS
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities, both_sides
from bunnymoose_cv.vision.headgear.logit_scaling import (
    KINDS,
    Logits,
    LogitScaling,
    Scale,
    Seen,
    probabilities_of,
    shipped_scaling,
    with_gap,
    with_second_look,
    with_thumb,
)

SHIPPED = LogitScaling.load(bundled("models/logit_scaling.toml"))


def answers(*numbers: float) -> Logits:
    return np.array([numbers], np.float32)


SAYS_ANTLER = answers(4, -2, -2, 3, 3, 0, 0)
SAYS_NOTHING = answers(-2, -2, 4, 0, 0, 0, 0)


@given(st.lists(st.floats(-60, 60, width=32), min_size=7, max_size=7))
def test_kind_probabilities_sum_to_one(numbers: list[float]) -> None:
    probabilities = probabilities_of(answers(*numbers))
    assert probabilities[0, :KINDS].sum() == pytest.approx(1, abs=1e-5)
    assert np.all((probabilities >= 0) & (probabilities <= 1))


@given(*(st.lists(st.floats(-60, 60, width=32), min_size=7, max_size=7) for _ in range(2)))
def test_combined_looks_are_probabilities(first: list[float], second: list[float]) -> None:
    together = with_second_look(probabilities_of(answers(*first)), probabilities_of(answers(*second)))
    assert together[0, :KINDS].sum() == pytest.approx(1, abs=1e-5)
    assert np.all((together >= 0) & (together <= 1))


def test_second_look_has_less_weight_than_the_first() -> None:
    """An equally sure second look at the opposite weakens the first but does not overturn it."""
    first, second = probabilities_of(SAYS_ANTLER), probabilities_of(answers(-2, -2, 4, -3, 3, 0, 0))
    together = with_second_look(first, second)
    assert 0.5 < together[0, 0] < first[0, 0]
    assert 0.5 < together[0, KINDS] < first[0, KINDS]
    assert together[0, KINDS + 1] > first[0, KINDS + 1]
    undecided = probabilities_of(answers(0, 0, 0, 0, 0, 0, 0))
    np.testing.assert_allclose(with_second_look(first, undecided), first, atol=1e-5)


THUMB_OUT, THUMB_ON_PALM = 1.5, 0.5
SAYS_EAR = answers(-6, 4, -2, 0, 0, 3, 3)


@pytest.mark.parametrize(
    ("kind", "gap", "thumb", "counts"),
    [
        (0, 0.0, THUMB_OUT, True),
        (0, 1.2, THUMB_OUT, True),
        (0, 1.7, THUMB_OUT, False),
        (0, 1.7, THUMB_ON_PALM, True),
        (0, 2.3, THUMB_ON_PALM, False),
        (1, 1.2, THUMB_ON_PALM, True),
        (1, 1.7, THUMB_ON_PALM, False),
    ],
    ids=[
        "antler at the head",
        "antler nearly at the head",
        "antler off the head",
        "antler whose thumb may reach the head",
        "antler whose thumb cannot reach the head",
        "ear nearly at the head",
        "ear off the head",
    ],
)
def test_hand_too_far_from_the_head_is_no_headgear(kind: int, gap: float, thumb: float, *, counts: bool) -> None:
    anywhere = probabilities_of((SAYS_ANTLER, SAYS_EAR)[kind])
    placed = with_gap(anywhere, gap, thumb)
    assert placed[0, :KINDS].argmax() == (kind if counts else 2)
    assert placed[0, :KINDS].sum() == pytest.approx(1, abs=1e-5)
    assert np.array_equal(placed[0, KINDS:], anywhere[0, KINDS:])


@given(st.floats(0, 60), st.floats(0, 5), st.floats(0, 5))
def test_greater_gap_never_makes_headgear_likelier(gap: float, farther: float, thumb: float) -> None:
    anywhere = probabilities_of(answers(3, 2, -2, 0, 0, 0, 0))
    near, far = (with_gap(anywhere, distance, thumb) for distance in (gap, gap + farther))
    assert far[0, 2] >= near[0, 2] - 1e-6
    assert np.isfinite(far).all()


def test_antler_whose_thumb_points_away_from_the_head_is_doubted() -> None:
    likely = probabilities_of(answers(1, -3, 0, 0, 0, 0, 0))
    assert np.array_equal(with_thumb(likely, behind=0.2), likely)
    assert with_thumb(likely, behind=1.0)[0, :KINDS].argmax() == 2
    almost_sure = probabilities_of(answers(5, -3, 0, 0, 0, 0, 0))
    assert with_thumb(almost_sure, behind=9.0)[0, :KINDS].argmax() == 0, "a sure shape stays in doubt"


def test_ear_may_have_its_thumb_away_from_the_head() -> None:
    ear = probabilities_of(SAYS_EAR)
    np.testing.assert_allclose(with_thumb(ear, behind=1.0), ear, atol=1e-3)


def test_probabilities_keep_the_order_of_the_logits() -> None:
    probabilities = probabilities_of(answers(1, 3, 2, -1, 1, 0, 2))
    assert list(np.argsort(probabilities[0, :KINDS])) == [0, 2, 1]
    assert (probabilities[0, KINDS:] > 0.5).tolist() == [False, True, False, True]


@pytest.mark.parametrize("seen", Seen, ids=lambda seen: seen.value)
def test_each_network_keeps_its_likeliest_kind(seen: Seen) -> None:
    assert SHIPPED.probabilities(seen, SAYS_ANTLER)[0, :KINDS].argmax() == 0
    assert SHIPPED.probabilities(seen, SAYS_NOTHING)[0, :KINDS].argmax() == 2


def test_refitted_scale_replaces_one_input_only() -> None:
    halved = Scale(np.full(7, 0.5, np.float32), np.zeros(7, np.float32))
    refitted = replace(SHIPPED, scales={**SHIPPED.scales, Seen.HAND: halved})
    assert np.allclose(refitted.probabilities(Seen.HAND, SAYS_ANTLER), probabilities_of(SAYS_ANTLER / 2))
    unchanged = SHIPPED.probabilities(Seen.SIDE, SAYS_ANTLER)
    assert np.array_equal(refitted.probabilities(Seen.SIDE, SAYS_ANTLER), unchanged)


SURELY_AN_EAR = answers(0.001, 0.998, 0.001, 0.5, 0.5, 0.9, 0.1)
SURELY_NOTHING = answers(0.001, 0.001, 0.998, 0.5, 0.5, 0.5, 0.5)
EAR_OR_NOTHING = answers(0.02, 0.49, 0.49, 0.3, 0.6, 0.2, 0.8)


@pytest.mark.parametrize("hands_found", [False, True])
def test_sure_ear_raises_the_ear_probability_of_the_other_side(*, hands_found: bool) -> None:
    left, right = SHIPPED.on_one_head(SURELY_AN_EAR, EAR_OR_NOTHING, hands_found=hands_found)
    assert right[0, 1] > EAR_OR_NOTHING[0, 1] + 0.1
    assert left[0, 1] > 0.99
    for after, before in ((left, SURELY_AN_EAR), (right, EAR_OR_NOTHING)):
        assert after[0, :KINDS].sum() == pytest.approx(1, abs=1e-5)
        assert np.array_equal(after[0, KINDS:], before[0, KINDS:])
    swapped = SHIPPED.on_one_head(EAR_OR_NOTHING, SURELY_AN_EAR, hands_found=hands_found)
    assert np.allclose((right, left), swapped), "it knows no left and right"
    ear, nothing = SHIPPED.on_one_head(SURELY_AN_EAR, SURELY_NOTHING, hands_found=hands_found)
    assert min(ear[0, 1], nothing[0, 2]) > 0.95, "two sure sides that differ stay what they are"


def test_empty_side_influences_the_other_only_if_both_hands_are_found() -> None:
    """One arm may be tired, but two raised hands usually mean the same headgear."""
    alone, _ = SHIPPED.on_one_head(EAR_OR_NOTHING, SURELY_NOTHING, hands_found=False)
    both, _ = SHIPPED.on_one_head(EAR_OR_NOTHING, SURELY_NOTHING, hands_found=True)
    assert alone[0, 2] == pytest.approx(EAR_OR_NOTHING[0, 2], abs=0.01)
    assert both[0, 2] > EAR_OR_NOTHING[0, 2] + 0.2


ASSOCIATION = shipped_scaling().pairs_of_hands

shares = st.floats(0.0, 1.0)


@st.composite
def sides(draw: st.DrawFn) -> HeadgearProbabilities:
    weights = draw(st.lists(shares, min_size=3, max_size=3).filter(any))
    antler, ear, neither = (weight / sum(weights) for weight in weights)
    return HeadgearProbabilities(antler, ear, neither, *(draw(shares) for _ in range(4)))


@given(sides(), sides())
@example(HeadgearProbabilities(0.6, 0, 0.4, 0, 0, 0, 0), HeadgearProbabilities(7 / 11, 0, 4 / 11, 0, 0, 0, 0))
def test_joint_distribution_keeps_the_marginals(left: HeadgearProbabilities, right: HeadgearProbabilities) -> None:
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
def test_association_makes_equal_kinds_likelier(side: HeadgearProbabilities) -> None:
    found = both_sides(side, side, ASSOCIATION)
    assert sum(found[one, other] for one in ANTLERS for other in ANTLERS) > side.antler**2
    assert sum(found[one, other] for one in EARS for other in EARS) >= side.ear**2
    assert found[None, None] > side.neither**2


def test_association_does_not_make_a_bush_too_certain() -> None:
    """With two sides that are ears or nothing, independence would make a bush almost certain."""
    side = kinds(0.0, 0.2)
    found = both_sides(side, side, ASSOCIATION)
    rabbit = sum(found[one, other] for one in EARS for other in EARS)
    assert 0.1 < rabbit < 0.2


def test_certain_side_does_not_change_the_other() -> None:
    doubtful = kinds(0.3, 0.3)
    found = both_sides(kinds(1.0, 0.0), doubtful, ASSOCIATION)
    assert sum(found[one, None] for one in ANTLERS) == pytest.approx(doubtful.neither)


def test_sides_are_independent_without_an_association() -> None:
    left, right = kinds(0.3, 0.5), kinds(0.1, 0.2)
    found = both_sides(left, right, np.ones((3, 3), np.float32))
    for pair in product(HEADGEARS, HEADGEARS):
        assert found[pair] == pytest.approx(left.distribution[pair[0]] * right.distribution[pair[1]])
