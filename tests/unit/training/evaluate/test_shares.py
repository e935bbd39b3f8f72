"""Shares and rates: intervals, clusters, JSON."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.evaluate.shares import ClusteredShare, Rate, RateShape, RightShape, Share, ShareShape, student_95


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
def test_interval_matches_published_wilson_values(count: int, total: int, low: float, high: float) -> None:
    assert Share(total, count).interval == pytest.approx((low, high), abs=1e-4)


@given(st.integers(1, 10_000).flatmap(lambda total: st.tuples(st.just(total), st.integers(0, total))))
def test_interval_contains_the_rate_and_is_symmetric(counted: tuple[int, int]) -> None:
    total, count = counted
    share = Share(total, count)
    low, high = share.interval
    assert 0 <= low <= share.rate <= high <= 1
    assert Share(total, total - count).interval == pytest.approx((1 - high, 1 - low))


@given(st.lists(st.booleans()))
def test_share_counts_answers_and_is_none_without_any(answers: list[bool]) -> None:
    share = Share.of(answers)
    assert share == (Share(len(answers), sum(answers)) if answers else None)


CLUSTERED = st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1)


@given(CLUSTERED)
def test_clustered_interval_is_never_narrower_than_independent(answers: list[tuple[int, bool]]) -> None:
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
        ([(person, person < 3) for person in range(10) for _ in range(20)], 10),  # the 20 answers of a person are equal
        ([(0, False), (0, False), (1, False)], 1.8),  # no variance: 3² / (2² + 1²) (Kish 1965)
        # no variance between 10 people: 20 answers, shrunk by Student's t for 9 degrees of freedom
        ([(person, bool(person % 2) != table) for person in range(10) for table in (False, True)], 15.01),
        ([(person, person < 3) for person in range(10)], 10),  # one answer per person: no clustering
        ([("one", number < 5) for number in range(9)], 1),
    ],
)
def test_effective_sample_size_depends_on_the_clusters(answers: list[tuple[int, bool]], effective: float) -> None:
    share = ClusteredShare.of_clusters(answers)
    assert share is not None
    assert share.effective == pytest.approx(effective, abs=0.01)


def of_counts(*counts: int, size: int) -> ClusteredShare:
    """Return the share of clusters of one size with the given counts."""
    answers = [(cluster, number < count) for cluster, count in enumerate(counts) for number in range(size)]
    share = ClusteredShare.of_clusters(answers)
    assert share is not None
    return share


@pytest.mark.parametrize(
    ("one", "next_one"),
    [
        (of_counts(40, 40, size=80), of_counts(40, 41, size=80)),
        (of_counts(*[0] * 60, size=104), of_counts(1, *[0] * 59, size=104)),
        (of_counts(*[104] * 60, size=104), of_counts(103, *[104] * 59, size=104)),
        (of_counts(*[10] * 20, size=20), of_counts(11, *[10] * 19, size=20)),
    ],
    ids=["alike in two", "none and one", "all and all but one", "alike in many"],
)
def test_one_more_answer_hardly_changes_the_interval(one: ClusteredShare, next_one: ClusteredShare) -> None:
    assert next_one.effective == pytest.approx(one.effective, rel=0.02)
    assert next_one.interval == pytest.approx(one.interval, abs=0.01)


@pytest.mark.parametrize("persons", [3, 5, 10, 40])
@pytest.mark.parametrize("true", [0.5, 0.9, 0.98])
def test_interval_covers_the_true_share_for_varying_people(persons: int, true: float) -> None:
    """Draw the rate of each person from a beta distribution (correlation 0.3 between a person's 50 answers)."""
    random, spread, draws = np.random.default_rng(7), 1 / 0.3 - 1, 400
    covered = 0
    for rates in random.beta(true * spread, (1 - true) * spread, (draws, persons)):
        low, high = of_counts(*random.binomial(50, rates).tolist(), size=50).interval
        covered += low <= true <= high
    assert covered / draws >= 0.94


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    # NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, column 0.975.
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (100, 1.984)],
)
def test_students_t_matches_published_tables(freedom: int, quantile: float) -> None:
    assert student_95(freedom) == pytest.approx(quantile, rel=0.0015)


def test_clustered_share_without_answers_is_none() -> None:
    assert ClusteredShare.of_clusters([]) is None


@pytest.mark.parametrize(
    ("share", "line"),
    [
        (Share(4, 4), {"n": 4, "right": 4, "rate": 1.0, "low": 0.510109, "high": 1.0}),
        (
            ClusteredShare(8, 4, 2.0),
            {"n": 8, "effective_n": 2.0, "right": 4, "rate": 0.5, "low": 0.094531, "high": 0.905469},
        ),
    ],
)
def test_json_uses_the_key_of_the_count(share: Share, line: dict[str, float]) -> None:
    printed = json.loads(RightShape.of(share).line())
    assert printed == pytest.approx(line, abs=1e-6)
    assert list(printed) == list(line)


def test_json_keys_of_a_share_are_ordered() -> None:
    line = ShareShape.of(ClusteredShare(8, 4, 2.04)).line()
    assert line.startswith('{"n": 8, "effective_n": 2.0, "count": 4, "rate": 0.5, "low": 0.0')
    assert "effective_n" not in ShareShape.of(Share(8, 4)).line()


def test_rate_is_rounded_in_json() -> None:
    line = '{"count": 1, "hours": 0.3333, "an_hour": 3.0, "low": 0.039, "high": 16.691}'
    assert RateShape.of(Rate(1, 1 / 3)).line() == line
