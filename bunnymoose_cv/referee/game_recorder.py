"""Recorders of a game: its events on the disk, and the evidence of its rounds."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.footage_spool import SpoolError
from bunnymoose_cv.record.game_file import EventNotStoredError
from bunnymoose_cv.record.round_folder import EvidenceError, round_folder
from bunnymoose_cv.referee.current_round import current_facts, current_lines
from bunnymoose_cv.referee.stored_readings import read_poses
from bunnymoose_cv.rules.events import PoseCorrected, PosesJudged
from bunnymoose_cv.rules.provenance import BY_CAMERA

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.capture.footage import Footage
    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
    from bunnymoose_cv.record.evidence_writing import RoundEvidence
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.referee.question import ReadPose
    from bunnymoose_cv.referee.round_reader import RoundReader
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.round import Round

_logger = logging.getLogger(__name__)


class EventWriter:
    """Writer of the events of one game, with the round that they closed.

    If the disk refuses events, the game goes on in memory, and `notify` is called with a sentence.
    """

    def __init__(self, file: GameFile, notify: Callable[[str], None]) -> None:
        self._file = file
        self._notify = notify
        self._closed: Round | None = None

    def append(self, events: Sequence[Event], why: str, author: str) -> None:
        """Write events down, all or none; see `GameFile.append`.

        Raise an `IllegalEventError` if they cannot follow, an `InputError` if another program's events prevent an undo.
        """
        self._write(lambda: self._file.append(events, why, author))

    def dismiss_bam(self, why: str, author: str) -> int | None:
        """Undo only the last Bam and the poses after it, and return its round; None without a Bam. See `append`."""
        bam = self._file.game.provenance.dismissible_bam
        if bam is None:
            return None
        since = self._file.standing[bam.event + 1 :]
        still_true = [entry for entry in since if not _shows_pose(entry.event, bam.round_number)]
        self._write(lambda: self._file.take_back(1 + len(since), still_true, why, author))
        return bam.round_number

    def take_closed(self) -> Round | None:
        """Return the round that was closed since the last call; None without one."""
        closed, self._closed = self._closed, None
        return closed

    def _write(self, write: Callable[[], object]) -> None:
        before = len(self._file.game.rounds)
        try:
            write()
        except EventNotStoredError as error:
            _logger.warning("%d events stand in memory only", self._file.unkept, exc_info=True)
            self._notify(error.sentence)
        rounds = self._file.game.rounds
        if len(rounds) > before:
            self._closed = rounds[-1]


def _shows_pose(event: Event, round_number: int) -> bool:
    """Return whether an event after the Bam of a round is about a pose at it."""
    return isinstance(event, PosesJudged) or (isinstance(event, PoseCorrected) and event.round_number == round_number)


class NoEvidence:
    """Recorder of a game without evidence."""

    def buffer_footage(self, number: int, cue_s: float, footage: Footage) -> None:
        """Buffer nothing."""

    def forget(self, number: int) -> None:
        """Forget nothing."""

    def store_readings(self, judged: JudgedRound, said: Sequence[str]) -> None:
        """Store nothing."""

    def complete(self, judged: JudgedRound, said: Sequence[str], footage: Footage) -> None:
        """Add nothing."""

    def recover(self, reader: RoundReader, recorded: Callable[[int], tuple[Footage, float] | None]) -> None:
        """Recover nothing."""

    def stored_readings(self, number: int) -> dict[str, ReadPose]:  # noqa: ARG002 - like EvidenceRecorder
        """Return no readings."""
        return {}


@dataclass(frozen=True, slots=True)
class EvidenceRecorder:
    """Recorder of the evidence of one game's rounds."""

    file: GameFile
    keeper: EvidenceKeeper
    notify: Callable[[str], None]
    language: Language

    def buffer_footage(self, number: int, cue_s: float, footage: Footage) -> None:
        """Buffer the seconds around a round's cue, and delete the evidence of an earlier Bam of the round."""
        self.keeper.buffer_footage(number, cue_s, footage)

    def forget(self, number: int) -> None:
        """Delete the evidence of a round."""
        self.keeper.forget(number)

    def store_readings(self, judged: JudgedRound, said: Sequence[str]) -> RoundFolder:
        """Store readings, verdicts and announcements now; see `EvidenceKeeper.store_readings`."""
        return self.keeper.store_readings(self._evidence(judged, said))

    def complete(self, judged: JudgedRound, said: Sequence[str], footage: Footage) -> None:
        """Add what followed the verdicts; see `EvidenceKeeper.complete`."""
        self.keeper.complete(self._evidence(judged, said), footage)

    def recover(self, reader: RoundReader, recorded: Callable[[int], tuple[Footage, float] | None]) -> None:
        """Complete the evidence of earlier rounds that an interrupted program left: readings, images, films.

        `recorded` returns the footage of a round and the cue's time on its clock; None if it is gone.
        """
        sources = self.file.game.provenance.sources  # rounds in which verdicts of the camera count or were corrected
        read = {number for (number, _), source in sources.items() if source.judged_by in BY_CAMERA}
        for number in range(1, self.file.game.round_number + 1):
            try:
                if self.keeper.has_evidence(number):
                    found = recorded(number)
                    self.keeper.retry_film(number, None if found is None else found[0])
                elif number in read and reader.has_camera:
                    self._recover_readings(number, recorded, reader)
            except InputError as error:
                self.notify(error.sentence)
        reader.reset_tracking()

    def stored_readings(self, number: int) -> dict[str, ReadPose]:
        """Return the stored readings of a round by player; none if they are missing or damaged."""
        try:
            shape = round_folder(self.file.folder, number).read()
        except EvidenceError:
            _logger.warning("the readings of round %d are not readable", number, exc_info=True)
            return {}
        return {} if shape is None else read_poses(shape)

    def _recover_readings(
        self, number: int, recorded: Callable[[int], tuple[Footage, float] | None], reader: RoundReader
    ) -> None:
        """Read a round again in its buffered footage or, if that is missing or damaged, in its recording."""
        buffered = self.keeper.buffered_footage(number)
        if buffered is not None:
            with suppress(SpoolError):
                self._read_again(number, buffered, reader)
                return
        self._read_again(number, recorded(number), reader)

    def _read_again(self, number: int, found: tuple[Footage, float] | None, reader: RoundReader) -> None:
        """Read an earlier round again, only for its evidence, or raise an `InputError`; the verdicts remain."""
        if found is None:
            self.keeper.retry_film(number, None)
            return
        footage, cue_s = found
        reader.reset_tracking()
        judged = reader.read(current_facts(self.file.game, number), footage, cue_s)
        said = current_lines(self.file.game, number, self.language)
        self.store_readings(judged, said)
        self.complete(reader.watch(judged, footage), said, footage)

    def _evidence(self, judged: JudgedRound, said: Sequence[str]) -> RoundEvidence:
        return judged.evidence(current_facts(self.file.game, judged.number), said, self.language)
