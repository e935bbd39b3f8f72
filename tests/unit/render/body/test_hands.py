"""Hands of the renders: grips that differ in the fields of the game, sorts that are not headgear, and labels."""

from itertools import pairwise

import numpy as np
import pytest

from bunnymoose_cv.rules.pose import ANTLERS, EARS, Side
from fixtures.render.body.grip import (
    FINGERS,
    Grip,
    Thumb,
    four_fingers,
    half_bent,
    half_spread,
    some_fingers,
    thumb_and_little_finger,
)
from fixtures.render.body.sorts import (
    BETWEEN,
    BUSH_OF_SORT,
    BY_PART,
    IMPROPER,
    Bush,
    Field,
    Shown,
    Sort,
    between_label,
    bush_of,
)

SEEDS = range(8)
BENT_DEG = 60
"""Bend of the middle joint beyond which a finger does not stick out."""


def gaps(grip: Grip) -> list[float]:
    """Return the angles between neighbouring fingers at the knuckles."""
    return [grip.spread[finger] - grip.spread[other] for finger, other in pairwise(FINGERS)]


def out(grip: Grip) -> list[int]:
    return [finger for finger in FINGERS if grip.flexion[finger][1] < BENT_DEG]


def middle_bend(grip: Grip) -> float:
    return grip.flexion[2][1]


@pytest.mark.parametrize("seed", SEEDS)
def test_intermediate_shapes_lie_between_the_pure_ones(seed: int) -> None:
    random = np.random.default_rng(seed)
    touching, half, parted = (
        float(np.mean(gaps(grip)))
        for grip in (four_fingers(random, wide=False), half_spread(random, 0.5), four_fingers(random, wide=True))
    )
    assert touching < half < parted
    bent = half_bent(random, 0.5, parted=False)
    straight, curled = (middle_bend(some_fingers(random, 2, curled=is_curled)) for is_curled in (False, True))
    assert straight < middle_bend(bent) < curled
    assert (out(bent), bent.thumb) == ([2, 3], Thumb.TUCKED)
    bends = [middle_bend(half_bent(np.random.default_rng(seed), part, parted=True)) for part in (0.2, 0.5, 0.8)]
    assert bends == sorted(bends)


@pytest.mark.parametrize("seed", SEEDS)
def test_thumb_and_little_finger_are_the_only_ones_out(seed: int) -> None:
    grip = thumb_and_little_finger(np.random.default_rng(seed))
    assert (out(grip), grip.thumb) == ([5], Thumb.OUT)


ANTLER, EAR = Shown.headgear_of(ANTLERS[0]), Shown.headgear_of(EARS[0])


def test_every_sort_is_headgear_improper_or_intermediate() -> None:
    assert {Sort.HEADGEAR, Sort.DOWN, *IMPROPER, *BY_PART} == set(Sort)
    assert set(BY_PART) - set(BETWEEN) == {Sort.THUMB_NEAR}
    assert {*IMPROPER, Sort.DOWN} <= set(BUSH_OF_SORT)
    assert not set(IMPROPER) & set(BY_PART)


@pytest.mark.parametrize(
    ("left", "right", "bush"),
    [
        (ANTLER, ANTLER, None),
        (EAR, EAR, None),
        (ANTLER, EAR, Bush.MIX),
        (ANTLER, Shown(Sort.DOWN), Bush.ONE_HAND),
        (Shown(Sort.DOWN), Shown(Sort.DOWN), Bush.HANDS_DOWN),
        (EAR, Shown(Sort.THUMB_AND_LITTLE), Bush.THUMB_AND_LITTLE),
        (Shown(Sort.HANDS_TOGETHER), Shown(Sort.HANDS_TOGETHER), Bush.FLAT_HAND),
        (Shown(Sort.OVER_FACE), Shown(Sort.DOWN), Bush.AT_FACE),
        (ANTLER, Shown(Sort.THUMB_NEAR, ANTLERS[1], 0.6), None),
        (EAR, Shown(Sort.HALF_BENT, EARS[1], 0.4), None),
    ],
)
def test_reason_for_a_bush_follows_from_both_sides(left: Shown, right: Shown, bush: Bush | None) -> None:
    assert bush_of(left, right) is bush


@pytest.mark.parametrize(
    ("left", "right", "tongue", "label"),
    [
        (ANTLER, ANTLER, False, ""),
        (ANTLER, ANTLER, True, "tongue"),
        (Shown(Sort.HALF_SPREAD, ANTLERS[0], 0.5), ANTLER, False, "left.spread"),
        (EAR, Shown(Sort.BETWEEN_PLACES, EARS[0], 0.5), False, "right.place"),
        (Shown(Sort.THUMB_NEAR, ANTLERS[0], 0.6), ANTLER, False, ""),
        (
            Shown(Sort.THUMB_HALF_OUT, ANTLERS[0], 0.6),
            Shown(Sort.HALF_BENT, EARS[0], 0.4),
            True,
            "left.kind+right.form+tongue",
        ),
    ],
)
def test_label_names_the_intermediate_fields(left: Shown, right: Shown, label: str, *, tongue: bool) -> None:
    assert between_label({Side.LEFT: left, Side.RIGHT: right}, tongue=tongue) == label


def test_only_intermediate_shapes_leave_a_field_open() -> None:
    assert {Shown(sort).between for sort in BETWEEN} == set(Field)
    assert ANTLER.between is None
