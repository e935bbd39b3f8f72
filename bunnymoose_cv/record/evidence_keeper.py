"""Keeper of the evidence of each round beside the game: judged frames, landmarks, readings, verdicts and the replay.

Images and readings are written at once, so that nothing that ends the program takes them along; films by a worker
while the game goes on, which does nothing at all while it is asked to be quiet. Until then the held seconds lie in a
spool on the disk (footage_spool.py): a film that was not finished is finished when the game goes on.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from bunnymoose_cv.core.atomic_files import remove_parts
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.evidence_worker import EvidenceWorker
from bunnymoose_cv.record.evidence_writing import keep_stills, keep_what_came
from bunnymoose_cv.record.film_writer import FilmWriter
from bunnymoose_cv.record.footage_holder import FootageHolder
from bunnymoose_cv.record.footage_spool import SpooledFootage, SpoolError, remove_spool, spooled_rounds, spools_of
from bunnymoose_cv.record.round_film import drop_footage, kept_movers, movers_of, spooled_footage
from bunnymoose_cv.record.round_folder import ROUNDS, EvidenceError, round_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from bunnymoose_cv.record.evidence_writing import RoundEvidence
    from bunnymoose_cv.record.replay import Footage
    from bunnymoose_cv.record.round_film import RoundFilm
    from bunnymoose_cv.record.round_folder import RoundFolder


class EvidenceKeeper:
    """Keeper of the evidence of a game's rounds beside the game; rounds are counted from 1.

    What cannot be kept is given up with one sentence; the game knows nothing of it. What was begun stands whole under
    its name or not at all, so that an interruption at any moment leaves the rest as it was.
    """

    def __init__(self, game_folder: Path, tell: Callable[[str], None]) -> None:
        """Begin to work: remove what an interrupted evening left half written, and finish its films.

        Args:
            tell: takes a sentence about something that could not be kept; called from the worker's thread too.
        """
        remove_parts(game_folder / ROUNDS)
        self._game_folder = game_folder
        self._worker = EvidenceWorker(tell)
        self._held = FootageHolder(game_folder, self._worker.may_work.wait)
        self._films = FilmWriter(self._worker.may_work)
        for number in spooled_rounds(game_folder):
            self._worker.attempt(partial(self._film_spool, number))

    def buffer_footage(self, number: int, cue_s: float, footage: Footage) -> None:
        """Buffer the seconds around a cue as soon as they are there, however long the reading takes.

        Call it at the cue, before anything is read. What an earlier cue of the round left is no longer its evidence.

        Args:
            cue_s: when Bam was said, on the clock of the footage.
        """
        self.forget(number)
        self._held.hold(number, cue_s, footage)

    def forget(self, number: int) -> None:
        """Drop readings, images, footage and film of a cue that was taken back, without waiting for the film."""
        self._films.remove(number, self._folder_of(number))
        self._held.forget(number)

    def store_readings(self, evidence: RoundEvidence) -> RoundFolder:
        """Store what was read and judged, now: whatever ends the program from here on takes none of it along.

        Args:
            evidence: replaces what was kept of that round before, film and all.

        Returns:
            Where it lies.
        """
        kept = self._folder_of(evidence.number)
        self._films.call_off(evidence.number)
        self._worker.attempt(lambda: keep_stills(kept, evidence))
        return kept

    def complete(self, evidence: RoundEvidence, footage: Footage) -> None:
        """Add what came later: who moved, what was said, further frames, and the film, which the worker writes.

        Args:
            footage: the images and the sound of the round; what was held at the cue comes first.
        """
        number, kept = evidence.number, self._folder_of(evidence.number)
        if not self.has_evidence(number):
            self._drop_held(number)
            return
        self._worker.attempt(lambda: keep_what_came(kept, evidence))
        if number not in self._held.rounds:
            self._held.hold(number, evidence.cue_s, footage)
        self._film_held(self._films.plan(number, evidence.cue_s, movers_of(evidence)))

    def retry_film(self, number: int, footage: Footage | None) -> None:
        """Have the film written after all that an interrupted program left unwritten; say so where that cannot be.

        Args:
            number: a round that is over.
            footage: where the images of the round are still to be had; None where they are gone.
        """
        if not (self._folder_of(number).has_film or self._films.has_dealt_with(number)):
            self._worker.attempt(lambda: self._film_again(number, footage))

    def has_evidence(self, number: int) -> bool:
        """True if images and readings of a round are kept."""
        return self._folder_of(number).json.is_file()

    def buffered_footage(self, number: int) -> tuple[SpooledFootage, float] | None:
        """Footage that an interrupted program left of a round, and the cue's time in it; None where there is none."""
        for path in reversed(spools_of(self._game_folder, number)):
            with suppress(SpoolError):
                footage = SpooledFootage.open(path)
                return footage, footage.cue_s
        return None

    def quiet(self) -> AbstractContextManager[None]:
        """Do nothing for a while: from the cue to the voice all of the computer belongs to the referee."""
        return self._worker.quiet()

    def finish(self) -> None:
        """Wait until everything is kept. Nothing can be kept afterwards.

        Raises:
            Exception: a fault of ours, after which the rest was still kept.
        """
        for number in self._held.rounds:
            self._worker.attempt(partial(self._film_unwatched, number))
        try:
            self._worker.finish()
        finally:
            self._held.finish()

    def _folder_of(self, number: int) -> RoundFolder:
        return round_folder(self._game_folder, number)

    # Films, of which the worker writes one after the other.

    def _film_spool(self, number: int) -> None:
        """Have the film written of which an interrupted program left the footage."""
        kept = self._folder_of(number)
        footage = spooled_footage(kept, number)
        if footage is not None:
            self._film_again(number, footage)
        elif kept.has_film:
            for path in spools_of(self._game_folder, number):
                remove_spool(path)

    def _film_again(self, number: int, footage: Footage | None) -> None:
        kept, film = self._folder_of(number), None if footage is None else self._kept_film(number)
        if film is None or footage is None:
            raise EvidenceError(
                Phrase(
                    "Round {number} has no replay: the program ended while it was being written, "
                    "and its pictures are gone.",
                    number=number,
                )
            )
        self._worker.do_later(lambda: self._films.write(kept, film, footage))

    def _film_unwatched(self, number: int) -> None:
        """Have the film written of a round that was judged, but not looked at to its end."""
        film = self._kept_film(number)
        if film is None:
            self._drop_held(number)
        else:
            self._film_held(film)

    def _kept_film(self, number: int) -> RoundFilm | None:
        """Plan the film of a round by its evidence; None where none is kept."""
        shape = self._folder_of(number).read()
        return None if shape is None else self._films.plan(number, shape.cue_s, kept_movers(shape))

    def _film_held(self, film: RoundFilm) -> None:
        self._with_held(film.number, partial(self._films.write, self._folder_of(film.number), film))

    def _drop_held(self, number: int) -> None:
        self._with_held(number, drop_footage)

    def _with_held(self, number: int, job: Callable[[Footage], None]) -> None:
        """Have something done with the held footage of a round, if there is any, once it is there."""
        held = self._held.take(number)
        if held is not None:
            self._worker.do_later(lambda: job(held.result()))
