"""Labels from what people say of readings, from which a player's calibration is learnt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.rules.pose import Pose


class CorrectionLabels:
    """Remembered readings of one game, which become labels by what people tell of them.

    Rounds are counted from 1. A round that is judged once more is forgotten before.
    """

    def __init__(self) -> None:
        self._takes: dict[tuple[int, str], LabelledTake] = {}  # of each reading, beside the pose that was read

    def by_player(self, told: Mapping[tuple[int, str], Pose]) -> dict[str, tuple[LabelledTake, ...]]:
        """Labels by player; none of who was not seen."""
        labels: dict[str, tuple[LabelledTake, ...]] = {}
        for of, pose in told.items():
            if of in self._takes:
                labels[of[1]] = (*labels.get(of[1], ()), replace(self._takes[of], shown=pose))
        return labels

    def remember(self, judged: JudgedRound) -> None:
        """Remember the log-odds of a round's readings, so that what people say of them is a label."""
        for seat, frozen in zip(judged.seats, judged.frozen.players, strict=True):
            if frozen.reading is not None:
                take = LabelledTake.of(frozen.reading, frozen.reading.pose, TakeSource.CORRECTION)
                self._takes[judged.number, seat.player] = take

    def forget(self, number: int) -> None:
        """Forget readings of a round."""
        self._takes = {of: take for of, take in self._takes.items() if of[0] != number}
