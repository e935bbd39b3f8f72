"""Headgear readings: probabilities of one side of a head, and their joint distribution over both sides.

A hand that is misread on one side is usually misread on the other, since player and camera are the same. If the sides
were independent, a bush would be surer than either side. So the kinds of both sides get the association of the pairwise
prior, at their own probabilities, by iterative proportional fitting (Deming and Stephan, 1940), which keeps the prior's
odds ratios. Among 37 people with headgear, read by networks that were not trained on them, verdicts about 4 instead of
6 are surely wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from math import prod
from typing import TYPE_CHECKING, Final, Self

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.rules.pose import HEADGEARS, Antler, Direction, Ear, Form, Headgear, Place, Spread
from bunnymoose_cv.rules.pose_fields import Field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.core.phrase import Phrase
    from bunnymoose_cv.core.user_settings import HeadgearSettings
    from bunnymoose_cv.rules.pose_fields import HeadgearField
    from bunnymoose_cv.rules.pose_probabilities import BothSides
    from bunnymoose_cv.vision.headgear.logit_scaling import Logits, Probabilities
    from bunnymoose_cv.vision.headgear.measures import HandMeasures


class Kind(Enum):
    """Kind of headgear."""

    ANTLER = "antler"
    EAR = "ear"
    NEITHER = "other"


FIELDS_OF_KIND: Mapping[Kind, tuple[HeadgearField, ...]] = {
    Kind.ANTLER: (Field.KIND, Field.SPREAD, Field.DIRECTION),
    Kind.EAR: (Field.KIND, Field.PLACE, Field.FORM),
    Kind.NEITHER: (Field.KIND,),
}


def threshold_of(field: HeadgearField, settings: HeadgearSettings) -> float:
    """Return the confidence below which a player is asked about a field."""
    return {
        Field.KIND: settings.kind,
        Field.SPREAD: settings.spread,
        Field.DIRECTION: settings.direction,
        Field.FORM: settings.form,
        Field.PLACE: settings.place,
    }[field]


def is_clear(field: HeadgearField, confidence: float, settings: HeadgearSettings) -> bool:
    """Return whether a field is sure enough to need no question."""
    return confidence >= threshold_of(field, settings)


@dataclass(frozen=True, slots=True)
class HeadgearProbabilities:
    """Probabilities of one side or hand, from 0 to 1, from the fused networks.

    `antler`, `ear` and `neither` add up to 1. `wide` and `up` are conditional on an antler, `straight` and `top` on an
    ear.
    """

    antler: float
    ear: float
    neither: float
    wide: float = 0.5
    up: float = 0.5
    straight: float = 0.5
    top: float = 0.5

    @classmethod
    def of(cls, row: Probabilities) -> Self:
        """Return the probabilities of a row in the order of the fields, shape (7,)."""
        return cls(*map(float, row))

    @property
    def kind(self) -> Kind:
        """Likeliest kind."""
        probabilities = {Kind.ANTLER: self.antler, Kind.EAR: self.ear, Kind.NEITHER: self.neither}
        return max(probabilities, key=probabilities.__getitem__)

    @property
    def spread(self) -> Spread:
        """Likelier spread."""
        return Spread.WIDE if self.wide >= _EVEN else Spread.COMPACT

    @property
    def direction(self) -> Direction:
        """Likelier direction."""
        return Direction.UP if self.up >= _EVEN else Direction.DOWN

    @property
    def form(self) -> Form:
        """Likelier form."""
        return Form.STRAIGHT if self.straight >= _EVEN else Form.FLOPPY

    @property
    def place(self) -> Place:
        """Likelier place."""
        return Place.TOP if self.top >= _EVEN else Place.SIDE

    @property
    def headgear(self) -> Headgear:
        """Likeliest headgear."""
        if self.kind is Kind.ANTLER:
            return Antler(self.spread, self.direction)
        return Ear(self.place, self.form) if self.kind is Kind.EAR else None

    @property
    def distribution(self) -> Mapping[Headgear, float]:
        """Probability of every headgear. Fields are independent given the kind, and the sum is 1."""
        return {headgear: self._probability_of(headgear) for headgear in HEADGEARS}

    def _probability_of(self, headgear: Headgear) -> float:
        if isinstance(headgear, Antler):
            wide = self.wide if headgear.spread is Spread.WIDE else 1 - self.wide
            return self.antler * wide * (self.up if headgear.direction is Direction.UP else 1 - self.up)
        if isinstance(headgear, Ear):
            straight = self.straight if headgear.form is Form.STRAIGHT else 1 - self.straight
            return self.ear * straight * (self.top if headgear.place is Place.TOP else 1 - self.top)
        return self.neither

    def with_headgear_odds(self, factor: float) -> HeadgearProbabilities:
        """Return the same reading with the odds of headgear against neither multiplied by a factor."""
        if factor == 1:
            return self
        antler, ear = factor * self.antler, factor * self.ear
        total = antler + ear + self.neither
        return replace(self, antler=antler / total, ear=ear / total, neither=self.neither / total)

    def with_headgear_at_most(self, most: float) -> HeadgearProbabilities:
        """Return the same reading with a probability of headgear that is not above a limit."""
        headgear = self.antler + self.ear
        if headgear <= most:
            return self
        return replace(self, antler=self.antler / headgear * most, ear=self.ear / headgear * most, neither=1 - most)

    def mixed_with(self, other: HeadgearProbabilities, share: float) -> HeadgearProbabilities:
        """Return the mixture of these probabilities and others, in which the others have a given share."""

        def mean(weight: float, value: float, other_weight: float, other_value: float) -> float:
            weight, other_weight = (1 - share) * weight, share * other_weight
            total = weight + other_weight
            return (weight * value + other_weight * other_value) / total if total else value

        return HeadgearProbabilities(
            antler=mean(1, self.antler, 1, other.antler),
            ear=mean(1, self.ear, 1, other.ear),
            neither=mean(1, self.neither, 1, other.neither),
            wide=mean(self.antler, self.wide, other.antler, other.wide),
            up=mean(self.antler, self.up, other.antler, other.up),
            straight=mean(self.ear, self.straight, other.ear, other.straight),
            top=mean(self.ear, self.top, other.ear, other.top),
        )

    def confidence_of(self, field: HeadgearField) -> float:
        """Return the probability of the likeliest value of a field, from 0.5 (a third for the kind) to 1."""
        if field is Field.KIND:
            return max(self.antler, self.ear, self.neither)
        share = {Field.SPREAD: self.wide, Field.DIRECTION: self.up, Field.FORM: self.straight, Field.PLACE: self.top}
        return max(share[field], 1 - share[field])

    def unclear(self, settings: HeadgearSettings) -> tuple[HeadgearField, ...]:
        """Return the fields of the likeliest kind that are not sure enough to count without a question."""
        return tuple(
            field for field in FIELDS_OF_KIND[self.kind] if not is_clear(field, self.confidence_of(field), settings)
        )

    @property
    def confidence(self) -> float:
        """Probability that every field of the likeliest headgear is right."""
        return prod(self.confidence_of(field) for field in FIELDS_OF_KIND[self.kind])


_EVEN = 0.5


NO_HAND: Final = HeadgearProbabilities(antler=0.06, ear=0.12, neither=0.82)
"""Reading of a side beyond the image's border: usually bare, but never with certainty."""


@dataclass(frozen=True, slots=True)
class HeadgearReading:
    """Reading of one side of a head, or of one hand without a head.

    Attributes:
        probabilities: the probabilities of the fused networks, which determine the headgear.
        unclear: the fields that are too unsure to count without a question.
        reasons: the measured facts in favour of the headgear, in words.
        measures: the same facts as numbers; None if no hand was found.
    """

    probabilities: HeadgearProbabilities
    unclear: tuple[HeadgearField, ...]
    reasons: tuple[Phrase, ...]
    measures: HandMeasures | None = None

    @property
    def sure(self) -> bool:
        """True if no field is uncertain."""
        return not self.unclear

    @property
    def headgear(self) -> Headgear:
        """Likeliest headgear."""
        return self.probabilities.headgear

    @property
    def confidence(self) -> float:
        """Probability that every field of the headgear is right."""
        return self.probabilities.confidence


ROUNDS: Final = 40
"""Number of fittings of both margins. Among 5,000 random pairs none needs more than 27 until the sums are off by less
than 0.00001."""

_COLUMN_OF: Final = {Antler: 0, Ear: 1, type(None): 2}


def both_sides(
    left: HeadgearProbabilities, right: HeadgearProbabilities, association: Logits
) -> Mapping[BothSides, float]:
    """Return the probability of each pair of headgears, left and right. The marginals of each side do not change.

    Args:
        association: frequency of two kinds on one head relative to that on two heads, shape (3, 3).
    """
    kinds = [np.array([side.antler, side.ear, side.neither]) for side in (left, right)]
    independent = np.outer(*kinds)
    joint = _fitted(association.astype(np.float64), *kinds)
    lift = np.divide(joint, independent, out=np.ones_like(joint), where=independent > 0)
    return {
        (one, other): share * other_share * float(lift[_COLUMN_OF[type(one)], _COLUMN_OF[type(other)]])
        for one, share in left.distribution.items()
        for other, other_share in right.distribution.items()
    }


def _fitted(
    table: npt.NDArray[np.float64], rows: npt.NDArray[np.float64], columns: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Fit a table to sums of rows and columns, and keep its odds ratios (iterative proportional fitting)."""
    for _ in range(ROUNDS):
        for axis, wanted in ((1, rows[:, None]), (0, columns[None])):
            sums = table.sum(axis, keepdims=True)
            table = table * np.divide(wanted, sums, out=np.zeros_like(sums), where=sums > 0)
    return table
