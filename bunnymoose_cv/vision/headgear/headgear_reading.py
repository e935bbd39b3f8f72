"""Headgear probabilities and readings of one side of a head."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import reduce
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import HEADGEARS, Antler, Direction, Ear, Form, Headgear, Place, Spread
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.settings import HEADGEAR

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.core.phrase import Phrase
    from bunnymoose_cv.core.user_settings import HeadgearSettings
    from bunnymoose_cv.rules.pose_fields import HeadgearField
    from bunnymoose_cv.vision.headgear.measures import HandMeasures


class Kind(Enum):
    """Kind of headgear of a hand."""

    ANTLER = "antler"
    EAR = "ear"
    NEITHER = "other"


FIELDS_OF_KIND: Mapping[Kind, tuple[HeadgearField, ...]] = {
    Kind.ANTLER: (Field.KIND, Field.SPREAD, Field.DIRECTION),
    Kind.EAR: (Field.KIND, Field.PLACE, Field.FORM),
    Kind.NEITHER: (Field.KIND,),
}
"""Fields of each kind of headgear."""


@dataclass(frozen=True, slots=True)
class HeadgearProbabilities:
    """Probabilities of one side or hand, from 0 to 1, as the fused networks give them.

    `antler`, `ear` and `neither` add up to 1; `wide`, `up` hold if it is an antler, `straight`, `top` if it is an ear.
    """

    antler: float
    ear: float
    neither: float
    wide: float = 0.5
    up: float = 0.5
    straight: float = 0.5
    top: float = 0.5

    @property
    def kind(self) -> Kind:
        """The likeliest kind."""
        return max((self.antler, Kind.ANTLER), (self.ear, Kind.EAR), (self.neither, Kind.NEITHER), key=lambda p: p[0])[
            1
        ]

    @property
    def spread(self) -> Spread:
        """The likelier spread."""
        return Spread.WIDE if self.wide >= _EVEN else Spread.COMPACT

    @property
    def direction(self) -> Direction:
        """The likelier direction."""
        return Direction.UP if self.up >= _EVEN else Direction.DOWN

    @property
    def form(self) -> Form:
        """The likelier form."""
        return Form.STRAIGHT if self.straight >= _EVEN else Form.FLOPPY

    @property
    def place(self) -> Place:
        """The likelier place."""
        return Place.TOP if self.top >= _EVEN else Place.SIDE

    @property
    def headgear(self) -> Headgear:
        """The likeliest headgear."""
        if self.kind is Kind.ANTLER:
            return Antler(self.spread, self.direction)
        return Ear(self.place, self.form) if self.kind is Kind.EAR else None

    @property
    def distribution(self) -> Mapping[Headgear, float]:
        """The probability of every headgear; fields are independent given the kind, and the sum is 1."""
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

    def mixed_with(self, other: HeadgearProbabilities, share: float) -> HeadgearProbabilities:
        """Return probabilities of this reading or another one, where only the share of the other is known."""

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
        """The probability of the value that is shown for a field, 0.5 (a third for the kind) to 1."""
        if field is Field.KIND:
            return max(self.antler, self.ear, self.neither)
        share = {Field.SPREAD: self.wide, Field.DIRECTION: self.up, Field.FORM: self.straight, Field.PLACE: self.top}
        return max(share[field], 1 - share[field])

    def unclear(self, settings: HeadgearSettings) -> tuple[HeadgearField, ...]:
        """The fields of the likeliest kind that are not sure enough to stand alone."""
        return tuple(
            field
            for field in FIELDS_OF_KIND[self.kind]
            if self.confidence_of(field) < float(getattr(settings, field.value))
        )

    @property
    def confidence(self) -> float:
        """The probability that every field of the shown headgear is right."""
        return reduce(lambda product, field: product * self.confidence_of(field), FIELDS_OF_KIND[self.kind], 1.0)


_EVEN = 0.5


NO_HAND = HeadgearProbabilities(*HEADGEAR.beyond_border)
"""Reading of a side beyond the image border."""


@dataclass(frozen=True, slots=True)
class HeadgearReading:
    """Reading of one side of a head, or of one hand by itself.

    Attributes:
        probabilities: of the fused networks, from which the headgear follows.
        unclear: fields too unsure to stand alone.
        reasons: the measured facts that speak for it, in words.
        measures: what those words tell, in numbers; None where no hand was found.
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
        """The likeliest headgear."""
        return self.probabilities.headgear

    @property
    def confidence(self) -> float:
        """The probability that every field of it is right."""
        return self.probabilities.confidence
