"""Time for five players: the median of all readings that fit the budget, with a clock of the test."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from bunnymoose_cv.calibration.checks import speed_check

if TYPE_CHECKING:
    from bunnymoose_cv.vision.reader import Reader


class TimedReader:
    """Reader of five players whose readings take given times, the first of them without a measurement.

    Args:
        monkeypatch: sets the clock.
        times_s: of the readings after the first.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, times_s: list[float]) -> None:
        self.now_s, self.times_s = 0.0, times_s
        monkeypatch.setattr(speed_check, "time", SimpleNamespace(perf_counter=lambda: self.now_s))

    def read(self, *_: object) -> Any:
        self.now_s += 100.0
        return SimpleNamespace(players=[SimpleNamespace(player=SimpleNamespace(head=number)) for number in range(5)])

    def follow(self, _: object, heads: tuple[object, ...]) -> Any:
        self.now_s += self.times_s.pop(0)
        return SimpleNamespace(players=heads)


@pytest.mark.parametrize(
    ("budget_s", "median_s", "left"),
    [(0.0, 2.0, 3), (2.5, 1.5, 2), (3.2, 1.0, 1), (5.0, 1.5, 0)],
)
def test_readings_are_timed_until_the_budget_is_spent(
    monkeypatch: pytest.MonkeyPatch, budget_s: float, median_s: float, left: int
) -> None:
    reader = TimedReader(monkeypatch, [2.0, 1.0, 0.5, 4.0])
    players, seconds = speed_check.time_five(cast("Reader", reader), budget_s)
    assert (players, seconds) == (5, median_s)
    assert len(reader.times_s) == left
