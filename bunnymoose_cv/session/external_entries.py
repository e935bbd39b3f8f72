"""Entries that other programs append to the game file while it is played, such as `bunnymoose correct`."""

from __future__ import annotations

import time
from itertools import groupby
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.record.correction_effects import changes
from bunnymoose_cv.record.game_file import standing_entries
from bunnymoose_cv.rules.events import Correction
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.session.table_cues import BEFORE_BAM

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.freeze_control import FreezeControl
    from bunnymoose_cv.session.round_display import RoundDisplay
    from bunnymoose_cv.session.services import Services

REFRESH_S: Final = 0.25
"""Time from one look into the file to the next."""


class ExternalEntries:
    """Intake of outside entries, as if they had been told at the table. Belongs to the session's thread."""

    def __init__(self, services: Services, referee: Referee, display: RoundDisplay, freeze: FreezeControl) -> None:
        self._services, self._referee, self._display, self._freeze = services, referee, display, freeze
        self._looked_s = float("-inf")

    def take_in_if_due(self) -> bool:
        """Take in what other programs have appended, if a look into the file is due; see `take_in`."""
        return time.monotonic() >= self._looked_s + REFRESH_S and self.take_in()

    def take_in(self) -> bool:
        """Take in what other programs have appended.

        Returns:
            Whether anything was.

        Raises:
            GameFileError: it cannot be read.
        """
        self._looked_s = time.monotonic()
        came = self._services.file.refresh()
        numbers = {entry.number for entry in came}
        for run in _runs(came):
            end = run[-1].number
            own = (each.event for each in self._services.file.entries[end:] if each.number not in numbers)
            self._take_in(run[0].number - 1, end, {each.round_number for each in own if isinstance(each, Correction)})
        return bool(came)

    def _take_in(self, first: int, end: int, told: AbstractSet[int]) -> None:
        """Show and announce corrections; where anything else was undone, start over unless the table has judged since.

        Args:
            first: index of the first of some entries that follow on each other.
            end: index after the last.
            told: rounds that were put right here since, and announced with what came by then.
        """
        entries = self._services.file.entries
        before, after = entries[:first], entries[:end]
        events = list(_differing(standing_entries(before), standing_entries(after)))
        corrections = [each for each in events if isinstance(each, Correction)]
        if len(corrections) < len(events):
            if end == len(entries) or self._still_deals(_folded(after).round_number):
                self._freeze.start_over()
            self._referee.forget_undone_bam()
            self._referee.recall()  # takes what stands now for announced
        elif numbers := {each.round_number for each in corrections} - told:
            self._show(sorted(numbers), _folded(before), _folded(after))

    def _still_deals(self, number: int) -> bool:
        """Tell if a round is open and without its Bam: nobody has been judged in it."""
        game = self._referee.game
        return game.phase in BEFORE_BAM and game.round_number == number

    def _show(self, numbers: Iterable[int], before: Game, after: Game) -> None:
        """Show the effects of corrections of some rounds, and say the moves that they have changed."""
        self._display.changes = changes(before, after, self._services.language)
        for number in numbers:
            self._referee.tell_correction(number, before, after)


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
