"""Labelled takes of a player: log-odds beside the pose that was really shown. Numbers only, no image."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.calibration.adaptation.log_odds import SideOdds, log_odds, true_class
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS, Field

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.vision.readings import PlayerReading


class TakeSource(Enum):
    """Origin of a take's label."""

    WARM_UP = "warm_up"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True)
class FieldLabel:
    """Log-odds of one field with the index of its true class."""

    field: Field
    odds: tuple[float, ...]
    true_class: int


@dataclass(frozen=True, slots=True)
class LabelledTake:
    """Log-odds of one moment of one player, with the true pose.

    Attributes:
        tongue: log-odds that the tongue is out.
    """

    source: TakeSource
    shown: Pose
    left: SideOdds
    right: SideOdds
    tongue: float

    @classmethod
    def of(cls, reading: PlayerReading, shown: Pose, source: TakeSource) -> Self:
        """Make a take of a reading that no calibration has changed."""
        left, right = (SideOdds.of(reading.headgear[side].probabilities) for side in (Side.LEFT, Side.RIGHT))
        return cls(source, shown, left, right, log_odds(reading.tongue.probability_out))

    def labels(self, exempt: Collection[Exemption] = ()) -> Iterator[FieldLabel]:
        """Labels of every field that the pose has and that is judged."""
        sides = (
            (Exemption.LEFT_HAND, self.shown.left, self.left),
            (Exemption.RIGHT_HAND, self.shown.right, self.right),
        )
        for exemption, headgear, odds in sides:
            for field in HEADGEAR_FIELDS:
                skipped = exemption in exempt or (field is Field.DIRECTION and Exemption.DOWN in exempt)
                true = None if skipped else true_class(field, headgear)
                if true is not None:
                    yield FieldLabel(field, odds.of_field(field), true)
        if Exemption.TONGUE not in exempt:
            yield FieldLabel(Field.TONGUE, (self.tongue,), int(self.shown.tongue is Tongue.IN))
