"""Summary of one player's warm-up as it was read, for people to see before they play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.calibration.adaptation.labelled_take import TakeSource
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.session.warmup.warm_up_steps import STEPS

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile
    from bunnymoose_cv.core.user_settings import Settings
    from bunnymoose_cv.rules.pose import Pose


@dataclass(frozen=True, slots=True)
class WarmUpSummary:
    """Counts of one player's warm-up.

    Attributes:
        labels: parts of poses that were judged.
        right: those of them that were read as shown, with the calibration.
        missed: poses of which no take was learnt from.
    """

    player: str
    labels: int
    right: int
    missed: tuple[Pose, ...]

    @classmethod
    def of(cls, profile: PlayerProfile, settings: Settings) -> Self:
        """Summarise a stored profile."""
        outcomes = profile.calibration(settings).outcomes
        shown = {take.shown for take in profile.takes if take.source is TakeSource.WARM_UP}
        return cls(
            profile.name,
            sum(each.labels for each in outcomes),
            sum(each.labels - each.wrong[each.kept] for each in outcomes),
            tuple(step.asked for step in STEPS if step.asked not in shown),
        )

    @property
    def words(self) -> Phrase:
        """One sentence for people."""
        if not self.labels:
            return Phrase(
                "{player}: no pose was understood. Sit so that the camera sees head and hands, and do it again.",
                player=self.player,
            )
        return Phrase(
            "{player}: {right} of {labels} parts understood.",
            player=self.player,
            right=self.right,
            labels=self.labels,
        )
