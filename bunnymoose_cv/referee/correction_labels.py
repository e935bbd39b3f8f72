"""Labels from what people put right of readings, from which a player's calibration is learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource

if TYPE_CHECKING:
    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.rules.pose import Pose


class CorrectionLabels:
    """Labels of one game, of which the last of a player in a round counts."""

    def __init__(self) -> None:
        self._labels: dict[tuple[int, str], list[LabelledTake]] = {}

    @property
    def by_player(self) -> dict[str, tuple[LabelledTake, ...]]:
        """All labels that stand, by player."""
        players = {player for _, player in self._labels}
        return {
            player: tuple(takes[-1] for (_, who), takes in self._labels.items() if who == player) for player in players
        }

    def learn(self, judged: JudgedRound, player: str, pose: Pose) -> None:
        """Remember the log-odds of a reading beside what a person says that it shows; none of who was not seen."""
        seen = {seat.player: frozen.reading for seat, frozen in zip(judged.seats, judged.frozen.players, strict=True)}
        reading = seen.get(player)
        if reading is not None:
            label = LabelledTake.of(reading, pose, TakeSource.CORRECTION)
            self._labels.setdefault((judged.number, player), []).append(label)

    def take_back(self, number: int, player: str) -> None:
        """Forget the last label of a player in a round; an earlier one counts again."""
        takes = self._labels.pop((number, player), [])
        if takes[:-1]:
            self._labels[number, player] = takes[:-1]

    def forget(self, number: int) -> None:
        """Forget the labels of a round."""
        self._labels = {of: takes for of, takes in self._labels.items() if of[0] != number}
