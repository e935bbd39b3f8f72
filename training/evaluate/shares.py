"""Shares and rates with their confidence intervals: as numbers, as JSON, and as tables in the terminal.

Answers may come in clusters that are not independent, such as all verdicts about one person.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from rich.table import Table

from training.evaluate.json_shape import JsonShape

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence


NORMAL_95: Final = 1.959964
"""Half-width of a 95 % confidence interval, in standard deviations of a normal value."""


@dataclass(frozen=True, slots=True)
class Share:
    """Share `count` of `total`.

    Attributes:
        total: number of answers, 1 or more.
        count: number of answers that are yes.
    """

    total: int
    count: int

    @classmethod
    def of(cls, answers: Iterable[bool]) -> Self | None:
        """Return the share of yes among answers, or None without answers."""
        all_answers = tuple(answers)
        return cls(len(all_answers), sum(all_answers)) if all_answers else None

    @property
    def rate(self) -> float:
        """The share, 0 to 1."""
        return self.count / self.total

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the true share, 95 %: low and high, each 0 to 1.

        Wilson's score interval (Wilson 1927), which remains valid for few answers, and if none or all of them are yes.
        """
        return wilson_interval(self.rate, self.total)


@dataclass(frozen=True, slots=True)
class ClusteredShare(Share):
    """Share of answers in clusters that are not independent, such as all verdicts about one person.

    Attributes:
        effective: sample size of independent answers with the same information, 1 to `total` (`_effective`).
    """

    effective: float

    @classmethod
    def of_clusters(cls, answers: Iterable[tuple[Hashable, bool]]) -> Self | None:
        """Return the share of yes among answers, each with the name of its cluster, or None without answers."""
        all_answers = tuple(answers)
        if not all_answers:
            return None
        sizes = Counter(cluster for cluster, _ in all_answers)
        counts = Counter(cluster for cluster, answer in all_answers if answer)
        effective = _effective([(size, counts[cluster]) for cluster, size in sizes.items()])
        return cls(len(all_answers), sum(counts.values()), effective)

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the true share, 95 %: Wilson's, for the effective sample size."""
        return wilson_interval(self.rate, self.effective)


@dataclass(frozen=True, slots=True)
class Rate:
    """Rate of events in time.

    Attributes:
        count: number of events.
        hours: observed hours.
    """

    count: int
    hours: float

    @property
    def an_hour(self) -> float:
        """Events per hour."""
        return self.count / self.hours

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the rate, 95 %: Byar's approximation of the exact Poisson limits."""
        low = (
            self.count * (1 - 1 / (9 * self.count) - NORMAL_95 / (3 * math.sqrt(self.count))) ** 3 if self.count else 0
        )
        more = self.count + 1
        high = more * (1 - 1 / (9 * more) + NORMAL_95 / (3 * math.sqrt(more))) ** 3
        return max(0.0, low) / self.hours, high / self.hours


def _effective(clusters: Sequence[tuple[int, int]]) -> float:
    """Return the effective sample size of clusters, each with its size and its count of yes.

    The variance between clusters (ratio estimator; Kish 1965) gives the design effect. Two clusters of mean size are
    added, one of yes and one of no, as Agresti and Coull (1998) add answers, since the variance alone is too small for
    a few clusters that happen to be alike, or a few yes among many answers. Because few clusters estimate it, the size
    is reduced by Student's t with one degree of freedom fewer than clusters (Korn and Graubard 1998). It is never less
    than if all answers of each cluster were one answer.
    """
    total = sum(size for size, _ in clusters)
    mean = total / len(clusters)
    padded = [*clusters, (mean, mean), (mean, 0)]
    padded_total = total + 2 * mean
    rate = sum(count for _, count in padded) / padded_total
    squares = sum((count - rate * size) ** 2 for size, count in padded)
    variance = len(padded) / (len(padded) - 1) * squares / padded_total**2
    design_effect = variance * padded_total / (rate * (1 - rate))
    shrunk = total / max(1.0, design_effect) * (NORMAL_95 / student_95(len(clusters) - 1)) ** 2
    return max(shrunk, total**2 / sum(size**2 for size, _ in clusters))


def student_95(freedom: int) -> float:
    """Return Student's t that bounds 95 of 100 values, by degrees of freedom; infinite for none.

    Exact for 1 and 2. Otherwise the expansion of Cornish and Fisher (Abramowitz and Stegun 26.7.5), right to 0.1 %.
    """
    if freedom == 0:
        return math.inf
    if freedom == 1:
        return math.tan(0.475 * math.pi)
    if freedom == 2:  # the other exact case
        return 0.95 * math.sqrt(2 / (1 - 0.95**2))
    z, inverse = NORMAL_95, 1 / freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term * inverse**power for power, term in enumerate(terms, start=1))


def wilson_interval(rate: float, total: float) -> tuple[float, float]:
    """Return the score interval of a share `rate` of `total`, 95 %: low and high, each 0 to 1 (Wilson 1927)."""
    spread = NORMAL_95**2 / total
    middle = (rate + spread / 2) / (1 + spread)
    half = NORMAL_95 * math.sqrt(rate * (1 - rate) / total + spread / (4 * total)) / (1 + spread)
    return max(0.0, min(middle - half, rate)), min(1.0, max(middle + half, rate))


_DIGITS = 3


class _Counted(JsonShape):
    """Size of a sample; `effective_n` is left out unless answers come in clusters that are not independent."""

    n: int
    effective_n: float | None = None


class ShareShape(_Counted):
    """A share with its 95 % interval."""

    count: int
    rate: float
    low: float
    high: float

    @classmethod
    def of(cls, share: Share) -> Self:
        """Convert a share."""
        low, high = share.interval
        return cls(n=share.total, **_effective_n(share), count=share.count, rate=share.rate, low=low, high=high)


class RightShape(_Counted):
    """A share of right answers with its 95 % interval."""

    right: int
    rate: float
    low: float
    high: float

    @classmethod
    def of(cls, share: Share) -> Self:
        """Convert a share."""
        low, high = share.interval
        return cls(n=share.total, **_effective_n(share), right=share.count, rate=share.rate, low=low, high=high)


def _effective_n(share: Share) -> dict[str, float]:
    return {"effective_n": round(share.effective, 1)} if isinstance(share, ClusteredShare) else {}


class RateShape(JsonShape):
    """Events in time: `an_hour` with its 95 % interval."""

    count: int
    hours: float
    an_hour: float
    low: float
    high: float

    @classmethod
    def of(cls, rate: Rate) -> Self:
        """Convert a rate."""
        low, high = rate.interval
        return cls(
            count=rate.count,
            hours=round(rate.hours, 4),
            an_hour=round(rate.an_hour, _DIGITS),
            low=round(low, _DIGITS),
            high=round(high, _DIGITS),
        )


def share_table(first: str, counted: str, title: str, shares: Mapping[str, Share | None]) -> Table:
    """Make a table of shares by their names. Shares of None are left out.

    Args:
        first: heading of the names.
        counted: heading of the counts.
    """
    table = figure_table(first, (counted, "of", "rate", "95 % interval"), title)
    for name, share in shares.items():
        if share is not None:
            table.add_row(name, *share_cells(share))
    return table


def figure_table(first: str, figures: Iterable[str], title: str) -> Table:
    """Make an empty table with a column of names, and right-aligned columns of figures."""
    table = Table(first, title=title, title_justify="left")
    for column in figures:
        table.add_column(column, justify="right")
    return table


def share_line(share: Share | None) -> str:
    """Return a share in one line, with its interval: `45 of 50, 90.0% (78.6% – 95.7%)`."""
    if share is None:
        return "of none"
    low, high = share.interval
    return f"{share.count} of {share.total}, {share.rate:.1%} ({low:.1%} – {high:.1%})"


def share_cells(share: Share) -> tuple[str, str, str, str]:
    """Return count, total, rate and 95 % interval of a share."""
    low, high = share.interval
    return str(share.count), str(share.total), f"{share.rate:.1%}", f"{low:.1%} – {high:.1%}"
