"""The second stage is paid for where the first is uncertain, and nowhere else."""

from __future__ import annotations

import pytest

from bunnymoose_cv.vision.cascade import Cascade


@pytest.mark.parametrize(
    ("number", "second_stage", "result", "refined"),
    [(0.5, True, 50.0, [0.5]), (0.5, False, 0.5, []), (0.99, True, 0.99, [])],
    ids=["uncertain", "second stage left out", "certain"],
)
def test_the_second_stage_refines_what_is_uncertain(
    number: float, result: float, refined: list[float], *, second_stage: bool
) -> None:
    seen: list[float] = []

    def second(item: float, first: float) -> float:
        seen.append(first)
        return 100 * item

    cascade: Cascade[float, float] = Cascade(lambda item: item, lambda first: first < 0.9, second)
    assert cascade.run(number, second_stage=second_stage) == result
    assert seen == refined
