"""Recorder of a game's evidence: what the keeper is handed of each round, at once, later, and after an interruption."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.footage_spool import SpoolError
from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.referee.standing_round import standing_facts, standing_lines
from bunnymoose_cv.rules.events import PosesJudged
from bunnymoose_cv.rules.fold import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
    from bunnymoose_cv.record.evidence_writing import RoundEvidence
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.replay import Footage
    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.referee.round_reader import RoundReader


class NoEvidence:
    """Recorder of a game of which no evidence is kept."""

    def buffer_footage(self, number: int, cue_s: float, footage: Footage) -> None:
        """Buffer nothing."""

    def forget(self, number: int) -> None:
        """Forget nothing."""

    def store_readings(self, judged: JudgedRound, said: Sequence[str]) -> None:
        """Store nothing."""

    def complete(self, judged: JudgedRound, said: Sequence[str], footage: Footage) -> None:
        """Add nothing."""

    def recover(
        self,
        reader: RoundReader,
        recorded: Callable[[int], tuple[Footage, float] | None],
        tell: Callable[[str], None],
    ) -> None:
        """Recover nothing."""


@dataclass(frozen=True, slots=True)
class EvidenceRecorder:
    """Recorder of the evidence of one game's rounds."""

    file: GameFile
    keeper: EvidenceKeeper
    language: Language

    def buffer_footage(self, number: int, cue_s: float, footage: Footage) -> None:
        """Buffer the seconds around the cue of a round; see `EvidenceKeeper.buffer_footage`."""
        self.keeper.buffer_footage(number, cue_s, footage)

    def forget(self, number: int) -> None:
        """Drop all that is kept of a round."""
        self.keeper.forget(number)

    def store_readings(self, judged: JudgedRound, said: Sequence[str]) -> RoundFolder:
        """Store what was read, judged and said, now; see `EvidenceKeeper.store_readings`."""
        return self.keeper.store_readings(self._evidence(judged, said))

    def complete(self, judged: JudgedRound, said: Sequence[str], footage: Footage) -> None:
        """Add what came later; see `EvidenceKeeper.complete`."""
        self.keeper.complete(self._evidence(judged, said), footage)

    def recover(
        self,
        reader: RoundReader,
        recorded: Callable[[int], tuple[Footage, float] | None],
        tell: Callable[[str], None],
    ) -> None:
        """Recover what an interrupted program left of the rounds before: readings, images, films.

        Args:
            recorded: footage of a round, by its number, and the cue's time on its clock; None where it is gone.
        """
        read = self._read_rounds()
        for number in range(1, self.file.game.round_number + 1):
            try:
                if self.keeper.has_evidence(number):
                    found = recorded(number)
                    self.keeper.retry_film(number, None if found is None else found[0])
                elif number in read and reader.has_camera:
                    self._recover_readings(number, recorded, reader)
            except InputError as error:
                tell(error.sentence)
        reader.reset_tracking()

    def _read_rounds(self) -> set[int]:
        """Rounds of which the camera's verdicts stand."""
        standing = [entry.event for entry in self.file.standing]
        return {
            fold(standing[:before]).round_number
            for before, entry in enumerate(self.file.standing)
            if isinstance(entry.event, PosesJudged) and entry.who == REFEREE
        }

    def _recover_readings(
        self, number: int, recorded: Callable[[int], tuple[Footage, float] | None], reader: RoundReader
    ) -> None:
        """Read a round again in its held footage, or in its recording when that is not there or damaged."""
        held = self.keeper.buffered_footage(number)
        if held is not None:
            with suppress(SpoolError):
                self._read_again(number, held, reader)
                return
        self._read_again(number, recorded(number), reader)

    def _read_again(self, number: int, found: tuple[Footage, float] | None, reader: RoundReader) -> None:
        """Read the footage of an earlier round once more, for its evidence alone; the verdicts stand.

        Raises:
            InputError: the footage cannot be read.
        """
        if found is None:
            self.keeper.retry_film(number, None)
            return
        footage, cue_s = found
        reader.reset_tracking()
        judged = reader.read(standing_facts(self.file.game, number), footage, cue_s)
        said = standing_lines(self.file.game, number, self.language)
        self.store_readings(judged, said)
        self.complete(reader.watch(judged, footage), said, footage)

    def _evidence(self, judged: JudgedRound, said: Sequence[str]) -> RoundEvidence:
        return judged.evidence(standing_facts(self.file.game, judged.number), said, self.language)
