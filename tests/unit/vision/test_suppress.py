"""Non-maximum suppression, by score and in a given order."""

from __future__ import annotations

from bunnymoose_cv.vision.suppress import keep_first, suppress


def near(item: float, other: float) -> bool:
    return abs(item - other) < 1


def test_the_highest_score_is_kept_of_what_shows_the_same() -> None:
    assert suppress([1.0, 1.5, 4.0, 4.2, 9.0], score=lambda item: item, same=near) == [9.0, 4.2, 1.5]


def test_of_equal_scores_the_earlier_is_kept() -> None:
    assert suppress([1.0, 1.5, 4.0], score=lambda _: 0.0, same=near) == [1.0, 4.0]


def test_in_order_the_first_is_kept_and_what_is_suppressed_suppresses_nothing() -> None:
    assert keep_first([1.5, 1.0, 0.4, 4.0], near) == [1.5, 0.4, 4.0]
