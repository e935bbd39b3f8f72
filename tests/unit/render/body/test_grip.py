"""Grips of fingers: each differs from the others in what the game looks at."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

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

SEEDS = range(8)
BENT_DEG = 60
"""A finger whose middle joint bends further does not stick out."""


def gaps(grip: Grip) -> list[float]:
    """The angles between neighbouring fingers at the knuckles."""
    return [grip.spread[finger] - grip.spread[other] for finger, other in pairwise(FINGERS)]


def out(grip: Grip) -> list[int]:
    return [finger for finger in FINGERS if grip.flexion[finger][1] < BENT_DEG]


def middle_bend(grip: Grip) -> float:
    return grip.flexion[2][1]


@pytest.mark.parametrize("seed", SEEDS)
def test_half_spread_lies_between_touching_and_parted(seed: int) -> None:
    def mean_gap(grip: Grip) -> float:
        return float(np.mean(gaps(grip)))

    random = np.random.default_rng(seed)
    half = mean_gap(half_spread(random, 0.5))
    assert mean_gap(four_fingers(random, wide=False)) < half < mean_gap(four_fingers(random, wide=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_half_bent_lies_between_straight_and_curled_and_shows_two_fingers(seed: int) -> None:
    random = np.random.default_rng(seed)
    half = half_bent(random, 0.5, parted=False)
    assert middle_bend(some_fingers(random, 2)) < middle_bend(half) < middle_bend(some_fingers(random, 2, curled=True))
    assert out(half) == [2, 3]
    assert half.thumb is Thumb.TUCKED


@pytest.mark.parametrize("seed", SEEDS)
def test_half_shapes_follow_their_part(seed: int) -> None:
    shapes = [half_bent(np.random.default_rng(seed), part, parted=True) for part in (0.2, 0.5, 0.8)]
    bends = [middle_bend(shape) for shape in shapes]
    assert bends == sorted(bends)


@pytest.mark.parametrize("seed", SEEDS)
def test_thumb_and_little_finger_stand_alone(seed: int) -> None:
    grip = thumb_and_little_finger(np.random.default_rng(seed))
    assert out(grip) == [5]
    assert grip.thumb is Thumb.OUT
