"""Entries that other programs append to the game file while it is played, such as `bunnymoose correct`."""

from __future__ import annotations

import time
from itertools import groupby
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.record.correction_effects import changes
from bunnymoose_cv.record.game_file import standing_entries
from bunnymoose_cv.referee.announcer import Announcer
from bunnymoose_cv.referee.standing_round import standing_facts
from bunnymoose_cv.rules.events import BetCorrected, PoseCorrected, TableCorrected
from bunnymoose_cv.rules.fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.freeze_control import FreezeControl
    from bunnymoose_cv.session.round_display import RoundDisplay
    from bunnymoose_cv.session.services import Services
    from bunnymoose_cv.session.table_voice import TableVoice

REFRESH_S: Final = 0.25
"""Time from one look into the file to the next."""


class OutsideEntries:
    """Intake of outside entries, as if they had been told at the table. Belongs to the session's thread.

    Args:
        services: with the game file, the evidence and the language.
        referee: of the game.
        voice: announces changed moves.
        display: shows the effects of corrections.
        freeze: started over where more than a correction was undone.
    """

    def __init__(
        self,
        services: Services,
        referee: Referee,
        voice: TableVoice,
        display: RoundDisplay,
        freeze: FreezeControl,
    ) -> None:
        self._services, self._referee = services, referee
        self._voice, self._display, self._freeze = voice, display, freeze
        self._looked_s = float("-inf")

    def take_in(self) -> bool:
        """Take in what other programs have appended, if a look into the file is due.

        Returns:
            Whether anything was.

        Raises:
            GameFileError: it cannot be read.
        """
        now_s = time.monotonic()
        if now_s < self._looked_s + REFRESH_S:
            return False
        self._looked_s = now_s
        came = self._services.file.refresh()
        for run in _runs(came):
            self._take_in(run[0].number - 1, run[-1].number)
        return bool(came)

    def _take_in(self, first: int, end: int) -> None:
        """Show and announce corrections; start over where anything else was undone, and nothing written since.

        Args:
            first: index of the first of some entries that follow on each other.
            end: index after the last.
        """
        entries = self._services.file.entries
        before, after = entries[:first], entries[:end]
        events = list(_differing(standing_entries(before), standing_entries(after)))
        corrections = [each for each in events if isinstance(each, PoseCorrected | TableCorrected | BetCorrected)]
        if len(corrections) < len(events):
            if end == len(entries):
                self._freeze.start_over()
                self._referee.forget_undone_bam()
        elif events:
            numbers = {each.round_number for each in corrections}
            self._show(sorted(numbers), _folded(before), _folded(after))
        self._referee.recall()  # takes what stands now for announced

    def _show(self, numbers: Iterable[int], before: Game, after: Game) -> None:
        """Show the effects of corrections of some rounds, and say the moves that they have changed."""
        language = self._services.language
        self._display.changes = changes(before, after, language)
        announcer = Announcer(self._voice.announce, language)
        for number in numbers:
            if number <= min(len(before.rounds), len(after.rounds)):
                announcer.tell_correction(before.rounds[number - 1], after.rounds[number - 1])
            elif number == before.round_number == after.round_number:
                announcer.recall(standing_facts(before, number))
                announcer.tell(standing_facts(after, number))


def _runs(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Split entries where entries of this program lie between them."""
    for _, run in groupby(enumerate(entries), key=lambda placed: placed[1].number - placed[0]):
        yield [entry for _, entry in run]


def _differing(before: Iterable[Entry], after: Iterable[Entry]) -> Iterator[Event]:
    """Events of entries that stand only before, or only after."""
    old, new = ({each.number: each.event for each in entries} for entries in (before, after))
    yield from (event for number, event in old.items() if number not in new)
    yield from (event for number, event in new.items() if number not in old)


def _folded(entries: Iterable[Entry]) -> Game:
    return fold(each.event for each in entries)
