"""Lines of an evaluation of Bams: one JSON object a narrator, one of all narrators, one of real sounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from pydantic import Field

from bunnymoose_cv.core.json_shape import JsonShape
from training.evaluate.bams import false_alarms, heard, timing_errors_s
from training.evaluate.share_json import RateShape, ShareShape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from training.evaluate.bams import NarratorFigures
    from training.evaluate.real_sounds import SortFigures

_DIGITS = 3


class NarratorBamsShape(JsonShape):
    """Bams of one narrator; `heard` is null where there are none."""

    narrator: str
    heard: ShareShape | None
    false_alarms: RateShape

    @classmethod
    def of(cls, narrator: NarratorFigures) -> Self:
        """From a narrator's figures."""
        share = heard([narrator])
        return cls(
            narrator=narrator.name,
            heard=None if share is None else ShareShape.of(share),
            false_alarms=RateShape.of(false_alarms([narrator])),
        )


class LatenessShape(JsonShape):
    """Timing error of cues in seconds: the median and the 90th percentile."""

    median: float
    slow: float


class BamsShape(JsonShape):
    """Bams of all narrators; a share of none is left out."""

    heard: ShareShape | None = None
    heard_soft: ShareShape | None = None
    heard_as_loud: ShareShape | None = None
    false_alarms: RateShape
    late_s: LatenessShape

    @classmethod
    def of(cls, narrators: Sequence[NarratorFigures]) -> Self:
        """From the figures of one or more narrators."""
        shares = {
            "heard": heard(narrators),
            "heard_soft": heard(narrators, soft=True),
            "heard_as_loud": heard(narrators, soft=False),
        }
        median_s, slow_s = timing_errors_s(narrators)
        known: dict[str, Any] = {name: ShareShape.of(share) for name, share in shares.items() if share is not None}
        return cls(
            **known,
            false_alarms=RateShape.of(false_alarms(narrators)),
            late_s=LatenessShape(median=round(median_s, _DIGITS), slow=round(slow_s, _DIGITS)),
        )


class SortShape(JsonShape):
    """One sort of real sounds: `false_alarms` in so many hours, `an_hour` with its 95 % interval, and the Bams."""

    false_alarms: int
    hours: float
    an_hour: float
    low: float
    high: float
    bams: int
    heard: int

    @classmethod
    def of(cls, own: SortFigures) -> Self:
        """From the figures of a sort."""
        low, high = own.wrong.interval
        return cls(
            false_alarms=own.wrong.count,
            hours=round(own.wrong.hours, _DIGITS),
            an_hour=own.wrong.an_hour,
            low=low,
            high=high,
            bams=0 if own.heard is None else own.heard.total,
            heard=0 if own.heard is None else own.heard.count,
        )


class RealSoundsShape(JsonShape):
    """Real sounds, sort by sort."""

    sorts: dict[str, SortShape] = Field(alias="real sounds")

    @classmethod
    def of(cls, figures: Mapping[str, SortFigures]) -> Self:
        """From the figures of each sort."""
        return cls.model_validate({"real sounds": {name: SortShape.of(own) for name, own in figures.items()}})
