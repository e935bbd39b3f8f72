"""Form of a labelled take in a player's file: `shown = "WU CD t"` and log-odds with two decimals."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource
from bunnymoose_cv.calibration.adaptation.log_odds import FURTHEST, SideOdds
from bunnymoose_cv.rules.pose import Pose

_DIGITS = 2
Odds = Annotated[float, Field(ge=-FURTHEST, le=FURTHEST, allow_inf_nan=False)]
SideForm = tuple[Odds, Odds, Odds, Odds, Odds, Odds, Odds]
"""Log probabilities of antler, ear, neither; log-odds of wide, up, straight, top."""


class TakeForm(BaseModel):
    """One take; numbers only."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: TakeSource
    shown: Annotated[str, Field(max_length=16)]
    left: SideForm
    right: SideForm
    tongue: Odds

    @classmethod
    def of(cls, take: LabelledTake) -> Self:
        """Convert from a take."""
        return cls(
            source=take.source,
            shown=str(take.shown),
            left=_numbers(take.left),
            right=_numbers(take.right),
            tongue=round(take.tongue, _DIGITS),
        )

    @property
    def take(self) -> LabelledTake:
        """Convert to a take.

        Raises:
            NotationError: no pose stands in it.
        """
        return LabelledTake(self.source, Pose.parse(self.shown), _side(self.left), _side(self.right), self.tongue)


def _numbers(side: SideOdds) -> SideForm:
    antler, ear, neither = (round(each, _DIGITS) for each in side.kind)
    wide, up, straight, top = (round(each, _DIGITS) for each in (side.spread, side.direction, side.form, side.place))
    return antler, ear, neither, wide, up, straight, top


def _side(form: SideForm) -> SideOdds:
    antler, ear, neither, wide, up, straight, top = form
    return SideOdds((antler, ear, neither), spread=wide, direction=up, form=straight, place=top)
