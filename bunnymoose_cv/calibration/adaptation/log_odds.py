"""Log-odds of a reading, the space in which players are calibrated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Place, Spread
from bunnymoose_cv.rules.pose_fields import Field, HeadgearField

if TYPE_CHECKING:
    from bunnymoose_cv.rules.pose import Headgear
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities

FURTHEST: Final = 12.0
"""Bound of the log-odds, so that no certainty is beyond a calibration."""


@dataclass(frozen=True, slots=True)
class SideOdds:
    """Log-odds of one side of a head.

    Attributes:
        kind: log probabilities of antler, ear, neither.
        spread: log-odds of wide, of an antler.
        direction: of up, likewise.
        form: of straight, of an ear.
        place: of top, likewise.
    """

    kind: tuple[float, float, float]
    spread: float
    direction: float
    form: float
    place: float

    @classmethod
    def of(cls, read: HeadgearProbabilities) -> Self:
        """Convert from probabilities."""
        return cls(
            (_log(read.antler), _log(read.ear), _log(read.neither)),
            log_odds(read.wide),
            log_odds(read.up),
            log_odds(read.straight),
            log_odds(read.top),
        )

    def of_field(self, field: HeadgearField) -> tuple[float, ...]:
        """Log-odds of one field: three of the kind, one of another."""
        return self.kind if field is Field.KIND else (float(getattr(self, field.value)),)


def true_class(field: Field, shown: Headgear) -> int | None:
    """Index of the true class of a field, 0 for the first; None where the headgear has no such field.

    The kind has antler, ear, neither; every other field the value that its log-odds speak for, then the other one.
    """
    match field, shown:
        case Field.KIND, _:
            return 0 if isinstance(shown, Antler) else 1 if isinstance(shown, Ear) else 2
        case Field.SPREAD, Antler():
            return int(shown.spread is not Spread.WIDE)
        case Field.DIRECTION, Antler():
            return int(shown.direction is not Direction.UP)
        case Field.FORM, Ear():
            return int(shown.form is not Form.STRAIGHT)
        case Field.PLACE, Ear():
            return int(shown.place is not Place.TOP)
        case _:
            return None


def log_odds(probability: float) -> float:
    """Log-odds of a probability, within `FURTHEST`."""
    if probability <= 0 or probability >= 1:
        return math.copysign(FURTHEST, probability - 0.5)
    return max(-FURTHEST, min(FURTHEST, math.log(probability / (1 - probability))))


def probability(odds: float) -> float:
    """Probability of log-odds."""
    return 1 / (1 + math.exp(-odds))


def _log(value: float) -> float:
    return max(-FURTHEST, math.log(value)) if value > 0 else -FURTHEST
