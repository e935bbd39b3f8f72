"""Counts as figures: how often something was so, and the interval in which the true share lies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Iterable

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
        spread = NORMAL_95**2 / self.total
        middle = (self.rate + spread / 2) / (1 + spread)
        half = (
            NORMAL_95 * math.sqrt(self.rate * (1 - self.rate) / self.total + spread / (4 * self.total)) / (1 + spread)
        )
        return max(0.0, min(middle - half, self.rate)), min(1.0, max(middle + half, self.rate))
