"""Labels from what people say of readings, from which a player's calibration is learnt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource

if TYPE_CHECKING:
    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.rules.pose import Pose


class CorrectionLabels:
    """Labels of one game, of which the last of a player in a round counts.

    Rounds are counted from 1. A round that is judged once more is forgotten before.
    """

    def __init__(self) -> None:
        self._takes: dict[tuple[int, str], LabelledTake] = {}  # of each reading, beside the pose that was read
        self._told: dict[tuple[int, str], list[Pose]] = {}

    @property
    def by_player(self) -> dict[str, tuple[LabelledTake, ...]]:
        """Labels that stand, by player; none of who was not seen."""
        labels: dict[str, tuple[LabelledTake, ...]] = {}
        for of, poses in self._told.items():
            if of in self._takes:
                labels[of[1]] = (*labels.get(of[1], ()), replace(self._takes[of], shown=poses[-1]))
        return labels

    def confirmed(self, number: int) -> frozenset[str]:
        """Players of a round of whom people have told what they show."""
        return frozenset(player for told_of, player in self._told if told_of == number)

    def remember(self, judged: JudgedRound) -> None:
        """Remember the log-odds of a round's readings, so that what people say of them is a label."""
        for seat, frozen in zip(judged.seats, judged.frozen.players, strict=True):
            if frozen.reading is not None:
                take = LabelledTake.of(frozen.reading, frozen.reading.pose, TakeSource.CORRECTION)
                self._takes[judged.number, seat.player] = take

    def learn(self, number: int, player: str, pose: Pose) -> None:
        """Take what a person says that a player shows in a round."""
        self._told.setdefault((number, player), []).append(pose)

    def take_back(self, number: int, player: str) -> None:
        """Forget what was last said of a player in a round; what was said before it counts again."""
        poses = self._told.pop((number, player), [])
        if poses[:-1]:
            self._told[number, player] = poses[:-1]

    def forget(self, number: int) -> None:
        """Forget readings of a round, and what was said of them."""
        self._takes = {of: take for of, take in self._takes.items() if of[0] != number}
        self._told = {of: poses for of, poses in self._told.items() if of[0] != number}
