"""Tongue reading of one mouth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Tongue

if TYPE_CHECKING:
    from bunnymoose_cv.core.user_settings import TongueSettings
    from bunnymoose_cv.vision.faces.head import Head


@dataclass(frozen=True, slots=True)
class TongueReading:
    """Reading of one mouth in one frame.

    Attributes:
        tongue: the likelier value.
        confidence: probability that `tongue` is right, 0.5 to 1, calibrated (models/tongue.md).
        unclear: whether the probability lies between the thresholds, or the mouth's place is not sure.
        probability_out: probability that the tongue is out, 0 to 1.
    """

    tongue: Tongue
    confidence: float
    unclear: bool
    probability_out: float

    @classmethod
    def of(cls, probability_out: float, settings: TongueSettings) -> TongueReading:
        """Read a probability against the thresholds."""
        out = probability_out >= 0.5  # the likelier of two
        return cls(
            tongue=Tongue.OUT if out else Tongue.IN,
            confidence=probability_out if out else 1 - probability_out,
            unclear=settings.clear_in < probability_out < settings.clear_out,
            probability_out=probability_out,
        )

    def at_head(self, head: Head) -> TongueReading:
        """The reading of this head: unclear where it is not surely a face, or its mouth was not found."""
        return self if head.shows_mouth else replace(self, unclear=True)
