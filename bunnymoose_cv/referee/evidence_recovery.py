"""Recovery of the evidence that an interruption left unfinished, from the footage that is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.referee.standing_round import standing_facts, standing_lines
from bunnymoose_cv.rules.events import PosesJudged
from bunnymoose_cv.rules.fold import fold

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.replay import Footage
    from bunnymoose_cv.referee.round_reader import RoundReader


@dataclass(frozen=True, slots=True)
class EvidenceRecovery:
    """Recovery of what an interrupted program left of the rounds before: readings, images, films.

    Attributes:
        file: the game.
        keeper: keeps its evidence.
        reader: reads footage once more.
        language: of the announcements.
        tell: how a person is told what is lost.
    """

    file: GameFile
    keeper: EvidenceKeeper
    reader: RoundReader
    language: Language
    tell: Callable[[str], None]

    def finish(self, recorded: Callable[[int], tuple[Footage, float] | None]) -> None:
        """Finish the evidence of every round.

        Args:
            recorded: footage of a round, by its number, and the cue's time on its clock; None where it is gone.
        """
        seen = self._seen_rounds()
        for number in range(1, self.file.game.round_number + 1):
            try:
                if self.keeper.has_evidence(number):
                    found = recorded(number)
                    self.keeper.make_again(number, None if found is None else found[0])
                elif number in seen and self.reader.has_camera:
                    self._see_again(number, self.keeper.held(number) or recorded(number))
            except InputError as error:
                self.tell(error.sentence)
        self.reader.reset_tracking()

    def _seen_rounds(self) -> set[int]:
        """Rounds of which the camera's verdicts stand."""
        standing = [entry.event for entry in self.file.standing]
        return {
            fold(standing[:before]).round_number
            for before, entry in enumerate(self.file.standing)
            if isinstance(entry.event, PosesJudged) and entry.who == REFEREE
        }

    def _see_again(self, number: int, found: tuple[Footage, float] | None) -> None:
        """Read the footage of an earlier round once more, for its evidence alone; the verdicts stand.

        Raises:
            InputError: the footage cannot be read.
        """
        if found is None:
            self.keeper.make_again(number, None)
            return
        footage, cue_s = found
        game = self.file.game
        self.reader.reset_tracking()
        facts, lines = standing_facts(game, number), standing_lines(game, number, self.language)
        judged = self.reader.read(facts, footage, cue_s)
        self.keeper.keep(judged.evidence(facts, lines, self.language))
        watched = self.reader.watch(judged, footage)
        self.keeper.complete(watched.evidence(facts, lines, self.language), footage)
