"""Shares and their intervals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.evaluation.shares import ClusteredShare, Share


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


CLUSTERED = st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1)


@given(CLUSTERED)
def test_clusters_never_tell_more_than_as_many_independent_answers(answers: list[tuple[int, bool]]) -> None:
    clustered = ClusteredShare.of_clusters(answers)
    plain = Share.of(answer for _, answer in answers)
    assert clustered is not None
    assert plain is not None
    assert (clustered.total, clustered.count) == (plain.total, plain.count)
    (low, high), (narrow_low, narrow_high) = clustered.interval, plain.interval
    assert low <= narrow_low + 1e-9
    assert high >= narrow_high - 1e-9


@pytest.mark.parametrize(
    ("answers", "effective"),
    [
        ([(person, person < 3) for person in range(10) for _ in range(20)], 9),  # a person's 20 are all alike
        ([(0, False), (0, False), (1, False)], 2),  # none: as many as there are clusters
        ([(person, bool(person % 2) != table) for person in range(10) for table in (False, True)], 10),
    ],
)
def test_the_effective_sample_is_that_of_the_clusters(answers: list[tuple[int, bool]], effective: float) -> None:
    share = ClusteredShare.of_clusters(answers)
    assert share is not None
    assert share.effective == pytest.approx(effective)


def test_no_answers_give_no_clustered_share() -> None:
    assert ClusteredShare.of_clusters([]) is None
