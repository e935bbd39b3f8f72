"""Recorder of a game's evidence: what the keeper is handed of each round, at once, later, and after an interruption."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.referee.evidence_recovery import EvidenceRecovery
from bunnymoose_cv.referee.standing_round import standing_facts

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

    def hold(self, number: int, cue_s: float, footage: Footage) -> None:
        """Hold nothing."""

    def forget(self, number: int) -> None:
        """Forget nothing."""

    def keep(self, judged: JudgedRound, said: Sequence[str]) -> None:
        """Keep nothing."""

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
    """Recorder of the evidence of one game's rounds.

    Attributes:
        file: the game.
        keeper: keeps its evidence.
        language: of the announcements.
    """

    file: GameFile
    keeper: EvidenceKeeper
    language: Language

    def hold(self, number: int, cue_s: float, footage: Footage) -> None:
        """Hold the seconds around the cue of a round, in place of an earlier one; see `EvidenceKeeper.hold`."""
        self.keeper.hold(number, cue_s, footage)

    def forget(self, number: int) -> None:
        """Drop all that is kept of a round."""
        self.keeper.forget(number)

    def keep(self, judged: JudgedRound, said: Sequence[str]) -> RoundFolder:
        """Keep what was read, judged and said, now; see `EvidenceKeeper.keep`."""
        return self.keeper.keep(self._evidence(judged, said))

    def complete(self, judged: JudgedRound, said: Sequence[str], footage: Footage) -> None:
        """Add what came later; see `EvidenceKeeper.complete`."""
        self.keeper.complete(self._evidence(judged, said), footage)

    def recover(
        self,
        reader: RoundReader,
        recorded: Callable[[int], tuple[Footage, float] | None],
        tell: Callable[[str], None],
    ) -> None:
        """Recover what an interrupted program left of the rounds before; see `EvidenceRecovery`."""
        EvidenceRecovery(self.file, self.keeper, reader, self.language, tell).finish(recorded)

    def _evidence(self, judged: JudgedRound, said: Sequence[str]) -> RoundEvidence:
        return judged.evidence(standing_facts(self.file.game, judged.number), said, self.language)
