"""Shares with their confidence intervals, also of answers in clusters that are not independent."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

NORMAL_95: Final = 1.959964
"""A normal value lies within so many standard deviations of its mean in 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Share:
    """Share `count` of `total`, which is at least one.

    Attributes:
        total: how many were looked at, 1 or more.
        count: how many of them were so.
    """

    total: int
    count: int

    @classmethod
    def of(cls, answers: Iterable[bool]) -> Self | None:
        """The share of yes among answers; None where there are none."""
        all_answers = tuple(answers)
        return cls(len(all_answers), sum(all_answers)) if all_answers else None

    @property
    def rate(self) -> float:
        """The share, 0 to 1."""
        return self.count / self.total

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the true share, 95 %: low and high, each 0 to 1.

        Wilson's score interval (Wilson 1927), which stays honest for few answers and for none or all of them.
        """
        return wilson_interval(self.rate, self.total)


@dataclass(frozen=True, slots=True)
class ClusteredShare(Share):
    """Share of answers in clusters that are not independent, such as all verdicts about one person.

    Attributes:
        effective: sample size of independent answers that would tell as much, 1 to `total`: by the variance between
            clusters (ratio estimator; Kish 1965); the number of clusters where all answers are alike.
    """

    effective: float

    @classmethod
    def of_clusters(cls, answers: Iterable[tuple[Hashable, bool]]) -> Self | None:
        """The share of yes among answers, each with the name of its cluster; None where there are none."""
        all_answers = tuple(answers)
        if not all_answers:
            return None
        sizes = Counter(cluster for cluster, _ in all_answers)
        counts = Counter(cluster for cluster, answer in all_answers if answer)
        total, count = len(all_answers), sum(counts.values())
        rate = count / total
        residuals = [(counts[cluster] - rate * size) ** 2 for cluster, size in sizes.items()]
        if rate in {0.0, 1.0} or len(sizes) == 1 or not sum(residuals):
            return cls(total, count, len(sizes))
        variance = len(sizes) / (len(sizes) - 1) * sum(residuals) / total**2
        return cls(total, count, min(float(total), max(1.0, rate * (1 - rate) / variance)))

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the true share, 95 %: Wilson's, for the effective sample size."""
        return wilson_interval(self.rate, self.effective)


def wilson_interval(rate: float, total: float) -> tuple[float, float]:
    """Score interval of a share `rate` of `total`, 95 %: low and high, each 0 to 1 (Wilson 1927)."""
    spread = NORMAL_95**2 / total
    middle = (rate + spread / 2) / (1 + spread)
    half = NORMAL_95 * math.sqrt(rate * (1 - rate) / total + spread / (4 * total)) / (1 + spread)
    return max(0.0, min(middle - half, rate)), min(1.0, max(middle + half, rate))
