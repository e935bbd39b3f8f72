"""Shares and rates as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bunnymoose_cv.core.json_shape import JsonShape
from training.evaluate.shares import ClusteredShare

if TYPE_CHECKING:
    from training.evaluate.bams import Rate
    from training.evaluate.shares import Share

_DIGITS = 3


class _Counted(JsonShape):
    """Size of a sample; `effective_n` stands only where answers come in clusters that are not independent."""

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
        """From a share."""
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
        """From a share."""
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
        """From a rate."""
        low, high = rate.interval
        return cls(
            count=rate.count,
            hours=round(rate.hours, 4),
            an_hour=round(rate.an_hour, _DIGITS),
            low=round(low, _DIGITS),
            high=round(high, _DIGITS),
        )
