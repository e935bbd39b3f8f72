"""Corrections: answers, poses, cards, bets, dismissed Bams and undo, at the table and in other programs."""

from __future__ import annotations

import time
from itertools import groupby
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.game_corrections import changes
from bunnymoose_cv.record.game_file import MEANWHILE, standing_entries
from bunnymoose_cv.rules.events import Bam, BetCorrected, Correction, TableCorrected, Undone
from bunnymoose_cv.rules.fold import changes_nothing, fold
from bunnymoose_cv.rules.game import BEFORE_BAM, Phase
from bunnymoose_cv.rules.provenance import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.session.play.freeze_control import FreezeControl
    from bunnymoose_cv.session.play.table_output import RoundDisplay
    from bunnymoose_cv.session.services import Services


REFRESH_S: Final = 0.25


class Corrections:
    """Entry of corrections, after the entries of other programs. Belongs to the session's thread."""

    def __init__(self, services: Services, referee: Referee, display: RoundDisplay, freeze: FreezeControl) -> None:
        self._services, self._referee, self._display, self._freeze = services, referee, display, freeze
        self._looked_s = float("-inf")

    def answer(self, player: str, pose: Pose, author: str, round_number: int) -> None:
        """Answer the question about a player of a round; a late answer corrects the likeliest pose that counted.

        Raise an `InputError` if the question has been answered with another pose.
        """
        self.take_in()
        is_other = pose != self._pose_of(player, round_number)
        if round_number == self._referee.game.round_number and player in self._referee.questions.unjudged:
            self._referee.correct_pose(player, pose, None, author)
        elif self._is_asked_again(player, round_number) or (is_other and self._is_unanswered(player, round_number)):
            self._correct(lambda: self._referee.correct_pose(player, pose, round_number, author))
        elif is_other:
            raise InputError(Phrase("Somebody has just answered: please check again."))

    def correct_pose(self, player: str, pose: Pose, author: str, round_number: int | None) -> bool:
        """Correct a pose, and return whether this was recorded.

        The current pose is not a correction, but it answers a question that is asked again.
        """
        self.take_in()
        if round_number is None and player in self._referee.questions.unjudged:
            self._referee.correct_pose(player, pose, None, author)
        elif pose != self._pose_of(player, round_number) or self._is_asked_again(player, round_number):
            self._correct(lambda: self._referee.correct_pose(player, pose, round_number, author))
        else:
            return False
        return True

    def correct_table(self, round_number: int, cards: Table, author: str) -> bool:
        """Correct the cards of a round, and return whether this was recorded."""
        self.take_in()
        if changes_nothing(self._referee.game, TableCorrected(round_number, cards)):
            return False
        self._correct(lambda: self._referee.correct_table(round_number, cards, author))
        return True

    def correct_bet(self, round_number: int, player: str | None, author: str) -> bool:
        """Correct the bet of a round, and return whether this was recorded."""
        self.take_in()
        if changes_nothing(self._referee.game, BetCorrected(round_number, player)):
            return False
        self._correct(lambda: self._referee.correct_bet(round_number, player, author))
        return True

    def dismiss(self, author: str, after: int | None) -> None:
        """Dismiss the last Bam, or raise an `InputError`; see `Session.dismiss`."""
        since = () if after is None else self._services.file.entries[after:]
        if any(isinstance(entry.event, Undone) for entry in since):
            raise InputError(MEANWHILE)
        if not self._referee.dismiss(author):
            raise InputError(Phrase("There is no Bam to undo: undo step by step."))
        self._freeze.start_over()

    def undo(self, author: str, after: int | None, *, keeps_bam: bool) -> None:
        """Undo the newest event, or raise an `InputError`; see `Session.undo`."""
        if after not in {None, len(self._services.file.entries)}:
            raise InputError(MEANWHILE)
        newest = self._services.file.standing[-1].event
        if keeps_bam and isinstance(newest, Bam):
            raise InputError(Phrase("Only Bam is left to undo: press “That was no Bam”."))
        if isinstance(newest, Correction):
            self._correct(lambda: self._referee.undo(author))
        else:
            self._referee.undo(author)
            self._freeze.start_over()

    def _correct(self, correct: Callable[[], None]) -> None:
        before = self._referee.game
        correct()
        self._display.changes = changes(before, self._referee.game, self._services.language)

    def _is_unanswered(self, player: str, round_number: int) -> bool:
        """Return whether the likeliest pose of a player counts without an answer."""
        source = self._referee.game.provenance.sources.get((round_number, player))
        return source is not None and source.author == NOBODY

    def _is_asked_again(self, player: str, round_number: int | None) -> bool:
        judged = self._referee.judged
        return (
            judged is not None
            and round_number in {None, judged.number}
            and player in self._referee.questions.asked_again
        )

    def _pose_of(self, player: str, round_number: int | None) -> Pose | None:
        """Return the pose of a player in a round; None means the open round or, before its verdicts, the last."""
        game = self._referee.game
        if round_number in {None, game.round_number} and player in game.poses:
            return game.poses[player]
        if round_number is None and game.phase is Phase.FROZEN:
            return None
        number = len(game.rounds) if round_number is None else round_number
        return game.rounds[number - 1].facts.poses.get(player) if 1 <= number <= len(game.rounds) else None

    # Entries of other programs.

    def take_in_if_due(self) -> bool:
        """Process the entries of other programs, if a look into the file is due; see `take_in`."""
        return time.monotonic() >= self._looked_s + REFRESH_S and self.take_in()

    def take_in(self) -> bool:
        """Process the entries that other programs have appended, and return whether there were any."""
        self._looked_s = time.monotonic()
        new = self._services.file.refresh()
        numbers = {entry.number for entry in new}
        for run in _runs(new):
            end = run[-1].number
            own = (entry.event for entry in self._services.file.entries[end:] if entry.number not in numbers)
            corrected_here = {event.round_number for event in own if isinstance(event, Correction)}
            self._take_in(run[0].number - 1, end, corrected_here)
        return bool(new)

    def _take_in(self, first: int, end: int, corrected_here: AbstractSet[int]) -> None:
        """Show and announce corrections; after any other undo, start over unless the table has judged since.

        The new entries are `entries[first:end]`. Corrections of rounds that the table has corrected since have been
        announced.
        """
        entries = self._services.file.entries
        before, after = entries[:first], entries[:end]
        events = list(_differing(standing_entries(before), standing_entries(after)))
        corrections = [event for event in events if isinstance(event, Correction)]
        if len(corrections) < len(events):
            if end == len(entries) or self._still_deals(_folded(after).round_number):
                self._freeze.start_over()
            self._referee.forget_undone_bam()
            self._referee.recall()  # the current verdicts count as announced
        elif numbers := {correction.round_number for correction in corrections} - corrected_here:
            self._show(sorted(numbers), _folded(before), _folded(after))

    def _still_deals(self, number: int) -> bool:
        """Return whether a round is open and before its Bam, so that no player has been judged in it."""
        game = self._referee.game
        return game.phase in BEFORE_BAM and game.round_number == number

    def _show(self, numbers: Iterable[int], before: Game, after: Game) -> None:
        """Show the effects of corrections of some rounds, and announce the moves that they have changed."""
        self._display.changes = changes(before, after, self._services.language)
        for number in numbers:
            self._referee.announce_correction(number, before, after)


def _runs(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Split entries at gaps, which are entries of this program."""
    for _, run in groupby(enumerate(entries), key=lambda placed: placed[1].number - placed[0]):
        yield [entry for _, entry in run]


def _differing(before: Iterable[Entry], after: Iterable[Entry]) -> Iterator[Event]:
    """Yield the events of entries that count only before or only after."""
    old, new = ({entry.number: entry.event for entry in entries} for entries in (before, after))
    yield from (event for number, event in old.items() if number not in new)
    yield from (event for number, event in new.items() if number not in old)


def _folded(entries: Iterable[Entry]) -> Game:
    return fold(entry.event for entry in entries)
