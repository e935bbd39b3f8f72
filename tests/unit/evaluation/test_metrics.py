"""Shares and their intervals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.evaluation.metrics import Share


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0000),
    ],
)
def test_the_interval_is_wilsons(count: int, total: int, low: float, high: float) -> None:
    assert Share(total, count).interval == pytest.approx((low, high), abs=1e-4)


@given(st.integers(1, 10_000).flatmap(lambda total: st.tuples(st.just(total), st.integers(0, total))))
def test_the_interval_holds_the_rate_and_mirrors_with_it(counted: tuple[int, int]) -> None:
    total, count = counted
    share = Share(total, count)
    low, high = share.interval
    assert 0 <= low <= share.rate <= high <= 1
    assert Share(total, total - count).interval == pytest.approx((1 - high, 1 - low))


@given(st.lists(st.booleans()))
def test_answers_are_counted_and_none_gives_no_share(answers: list[bool]) -> None:
    share = Share.of(answers)
    assert share == (Share(len(answers), sum(answers)) if answers else None)
