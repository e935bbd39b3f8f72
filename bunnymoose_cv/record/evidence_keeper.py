"""Storage of each round's evidence in the game's folder: judged frames, landmarks, readings, verdicts and the replay.

Images and readings are written at once, so they survive a crash. Films are written by a worker while the game goes on;
it pauses during `quiet`. Until then the buffered seconds are in a spool on the disk (footage_spool.py), from which an
unfinished film is finished when the game is resumed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.atomic_files import remove_parts
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.evidence_writing import RoundEvidence, keep_stills, update_evidence
from bunnymoose_cv.record.footage_spool import (
    FootageHolder,
    SpooledFootage,
    SpoolError,
    remove_spool,
    spooled_rounds,
    spools_of,
)
from bunnymoose_cv.record.round_film import FilmWriter, RoundFilm, drop_footage, kept_movers, movers_of, spooled_footage
from bunnymoose_cv.record.round_folder import ROUNDS, EvidenceError, RoundFolder, round_folder

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.footage import Footage


_logger = logging.getLogger(__name__)

Job: TypeAlias = Callable[[], object]


class EvidenceWorker:
    """Thread that runs jobs one after the other; `may_work` is set except during `quiet`.

    A job that fails with an `InputError` is dropped, and its sentence reported, on any thread. Any other exception is a
    bug and is raised by `finish`; the other jobs go on.
    """

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._fault: Exception | None = None
        self._thread = ActorThread("evidence")
        self.may_work = Event()
        self.may_work.set()
        self._thread.start()

    def attempt(self, job: Job) -> None:
        """Run a job now, on the caller's thread."""
        try:
            job()
        except InputError as error:
            _logger.warning("evidence is not kept", exc_info=True)
            self._report(error.sentence)
        except Exception as error:  # raised again by `finish`
            _logger.exception("evidence is not kept")
            self._fault = error

    def do_later(self, job: Job) -> None:
        """Queue a job behind the others; it waits for the end of `quiet`."""

        def do() -> None:
            self.may_work.wait()
            self.attempt(job)

        self._thread.submit(do)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Begin no job within `with`; a running job checks `may_work` itself."""
        self.may_work.clear()
        try:
            yield
        finally:
            self.may_work.set()

    def finish(self) -> None:
        """End the thread after all jobs, and raise the exception of a job that had a bug."""
        self._thread.finish()
        if self._fault is not None:
            raise self._fault


class EvidenceKeeper:
    """Storage of the evidence of a game's rounds, in the game's folder; rounds are counted from 1.

    Evidence that cannot be stored is dropped with one sentence to the user (`report`, called on any thread), and the
    game is not affected. Files are written atomically, so an interruption at any moment leaves the others unchanged.
    """

    def __init__(self, game_folder: Path, report: Callable[[str], None]) -> None:
        """Start the worker, remove the partial files of an interrupted evening, and finish its films."""
        remove_parts(game_folder / ROUNDS)
        self._game_folder = game_folder
        self._worker = EvidenceWorker(report)
        self._held = FootageHolder(game_folder, self._worker.may_work.wait)
        self._films = FilmWriter(self._worker.may_work)
        for number in spooled_rounds(game_folder):
            self._worker.attempt(partial(self._film_spool, number))

    def buffer_footage(self, number: int, cue_s: float, footage: Footage) -> None:
        """Buffer the seconds around a cue (on the clock of the footage) as soon as they have arrived.

        Call it at the cue, before anything is read. It drops the evidence of an earlier cue of the round.
        """
        self.forget(number)
        self._held.hold(number, cue_s, footage)

    def forget(self, number: int) -> None:
        """Drop readings, images, footage and film of a cue that was undone, without waiting for the film."""
        self._films.remove(number, self._folder_of(number))
        self._held.forget(number)

    def store_readings(self, evidence: RoundEvidence) -> RoundFolder:
        """Store readings and verdicts at once; they replace everything stored for the round before, even the film."""
        kept = self._folder_of(evidence.number)
        self._films.cancel(evidence.number)
        self._worker.attempt(lambda: keep_stills(kept, evidence))
        return kept

    def complete(self, evidence: RoundEvidence, footage: Footage) -> None:
        """Add later evidence: movers, announcements, further frames, and the film, which the worker writes.

        Footage buffered at the cue takes precedence over the footage given here.
        """
        number, kept = evidence.number, self._folder_of(evidence.number)
        if not self.has_evidence(number):
            self._with_held(number, drop_footage)
            return
        self._worker.attempt(lambda: update_evidence(kept, evidence))
        if number not in self._held.rounds:
            self._held.hold(number, evidence.cue_s, footage)
        self._film_held(self._films.plan(number, evidence.cue_s, movers_of(evidence)))

    def retry_film(self, number: int, footage: Footage | None) -> None:
        """Write the missing film of a finished round of an interrupted run, or report that its footage is gone."""
        if not (self._folder_of(number).has_film or self._films.knows(number)):
            self._worker.attempt(lambda: self._film_again(number, footage))

    def has_evidence(self, number: int) -> bool:
        """Return whether images and readings of a round are stored."""
        return self._folder_of(number).json.is_file()

    def buffered_footage(self, number: int) -> tuple[SpooledFootage, float] | None:
        """Return the footage of a round left by an interrupted run, with the cue's time, or None."""
        for path in reversed(spools_of(self._game_folder, number)):
            with suppress(SpoolError):
                footage = SpooledFootage.open(path)
                return footage, footage.cue_s
        return None

    def quiet(self) -> AbstractContextManager[None]:
        """Pause the worker within `with`: from the cue to the voice, the referee needs the whole computer."""
        return self._worker.quiet()

    def finish(self) -> None:
        """Wait until everything is stored, close the storage, and raise the exception of a job that had a bug."""
        for number in self._held.rounds:
            self._worker.attempt(partial(self._film_unwatched, number))
        try:
            self._worker.finish()
        finally:
            self._held.finish()

    def _folder_of(self, number: int) -> RoundFolder:
        return round_folder(self._game_folder, number)

    # Films, which the worker writes one after the other.

    def _film_spool(self, number: int) -> None:
        """Finish a film whose footage an interrupted run left behind."""
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
        """Write the film of a round that was judged, but not completed."""
        film = self._kept_film(number)
        if film is None:
            self._with_held(number, drop_footage)
        else:
            self._film_held(film)

    def _kept_film(self, number: int) -> RoundFilm | None:
        """Plan the film of a round from its stored evidence; None without evidence."""
        shape = self._folder_of(number).read()
        return None if shape is None else self._films.plan(number, shape.cue_s, kept_movers(shape))

    def _film_held(self, film: RoundFilm) -> None:
        self._with_held(film.number, partial(self._films.write, self._folder_of(film.number), film))

    def _with_held(self, number: int, job: Callable[[Footage], None]) -> None:
        """Run a job with the buffered footage of a round, if there is any, once it is complete."""
        held = self._held.take(number)
        if held is not None:
            self._worker.do_later(lambda: job(held.result()))
