"""Rates of a training rise, then fall along half a cosine."""

from __future__ import annotations

import math

import pytest

from training.schedules import share_of_rate


@pytest.mark.parametrize(
    ("step", "steps", "warm_up", "last", "share"),
    [
        (0, 1000, 10, 0.1, 0.1),
        (499, 1000, 1, 0.0, 0.5),
        (500, 1000, 10, 0.1, 0.55),
        (1000, 1000, 10, 0.1, 0.1),
        (0, 1000, 1, 0.1, 1.0),
    ],
)
def test_share_of_the_highest_rate(step: int, steps: int, warm_up: int, last: float, share: float) -> None:
    assert math.isclose(share_of_rate(step, steps, warm_up, last), share, abs_tol=2e-3)


def test_it_rises_through_the_warm_up_and_falls_after() -> None:
    shares = [share_of_rate(step, 400, 40, 0.01) for step in range(400)]
    assert shares[:40] == sorted(shares[:40])
    assert shares[40:] == sorted(shares[40:], reverse=True)
    assert 0.01 < shares[-1] < 0.011
