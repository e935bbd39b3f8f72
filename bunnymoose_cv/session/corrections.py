"""Corrections by people: answers, poses, cards and bets put right, a Bam dismissed, and undoing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.correction_effects import changes
from bunnymoose_cv.record.game_file import MEANWHILE
from bunnymoose_cv.rules.events import Bam, BetCorrected, Correction, TableCorrected, Undone
from bunnymoose_cv.rules.fold import stands_already
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.session.freeze_control import FreezeControl
    from bunnymoose_cv.session.round_display import RoundDisplay
    from bunnymoose_cv.session.services import Services


class Corrections:
    """Entry of corrections. Belongs to the session's thread."""

    def __init__(self, services: Services, referee: Referee, display: RoundDisplay, freeze: FreezeControl) -> None:
        self._services, self._referee, self._display, self._freeze = services, referee, display, freeze

    def answer(self, player: str, pose: Pose, who: str, round_number: int) -> None:
        """Answer the question about a player of a round.

        Raises:
            InputError: the question was answered by another pose already.
        """
        if round_number == self._referee.game.round_number and player in self._referee.unjudged:
            self._referee.correct_pose(player, pose, None, who)
        elif self._is_asked_again(player, round_number):
            self._correct(lambda: self._referee.correct_pose(player, pose, round_number, who))
        elif pose != self._pose_of(player, round_number):
            raise InputError(Phrase("Somebody has just answered: look once more."))

    def correct_pose(self, player: str, pose: Pose, who: str, round_number: int | None) -> bool:
        """Correct a pose; the standing pose is no correction, but answers a question that is asked again.

        Returns:
            Whether it was written down.
        """
        if round_number is None and player in self._referee.unjudged:
            self._referee.correct_pose(player, pose, None, who)
        elif pose != self._pose_of(player, round_number) or self._is_asked_again(player, round_number):
            self._correct(lambda: self._referee.correct_pose(player, pose, round_number, who))
        else:
            return False
        return True

    def correct_table(self, round_number: int, cards: Table, who: str) -> bool:
        """Correct the cards of a round; whether it was written down."""
        if stands_already(self._referee.game, TableCorrected(round_number, cards)):
            return False
        self._correct(lambda: self._referee.correct_table(round_number, cards, who))
        return True

    def correct_bet(self, round_number: int, player: str | None, who: str) -> bool:
        """Correct the bet of a round; whether it was written down."""
        if stands_already(self._referee.game, BetCorrected(round_number, player)):
            return False
        self._correct(lambda: self._referee.correct_bet(round_number, player, who))
        return True

    def dismiss(self, who: str, after: int | None) -> None:
        """Take the last Bam back; see `Session.dismiss`.

        Raises:
            InputError: there is none that could be taken back, or something was taken back meanwhile.
        """
        since = () if after is None else self._services.file.entries[after:]
        if any(isinstance(entry.event, Undone) for entry in since):
            raise InputError(MEANWHILE)
        if not self._referee.dismiss(who):
            raise InputError(Phrase("There is no Bam to take back: undo step by step."))
        self._freeze.start_over()

    def undo(self, who: str, after: int | None, *, keeps_bam: bool) -> None:
        """Take the newest event back; see `Session.undo`.

        Raises:
            InputError: there is nothing to take back, only a Bam that is kept, or something happened meanwhile.
        """
        if after not in {None, len(self._services.file.entries)}:
            raise InputError(MEANWHILE)
        newest = self._services.file.standing[-1].event
        if keeps_bam and isinstance(newest, Bam):
            raise InputError(Phrase("Only Bam is left to take back: press “That was no Bam”."))
        if isinstance(newest, Correction):
            self._correct(lambda: self._referee.undo(who))
        else:
            self._referee.undo(who)
            self._freeze.start_over()

    def _correct(self, correct: Callable[[], None]) -> None:
        """Carry out a correction, and show its effects."""
        before = self._referee.game
        correct()
        self._display.changes = changes(before, self._referee.game, self._services.language)

    def _is_asked_again(self, player: str, round_number: int | None) -> bool:
        judged = self._referee.judged
        return judged is not None and round_number in {None, judged.number} and player in self._referee.asked_again

    def _pose_of(self, player: str, round_number: int | None) -> Pose | None:
        """Pose of a player that stands in a round; without one in the open round, or in the last."""
        game = self._referee.game
        if round_number in {None, game.round_number} and player in game.poses:
            return game.poses[player]
        if round_number is None and game.phase is Phase.FROZEN:
            return None
        number = len(game.rounds) if round_number is None else round_number
        return game.rounds[number - 1].facts.poses.get(player) if 1 <= number <= len(game.rounds) else None
