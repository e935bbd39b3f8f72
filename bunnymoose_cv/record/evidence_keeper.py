"""The evidence of each round, kept beside the game: judged frames, landmarks, readings, verdicts and the replay.

Pictures and readings are written at once, so that nothing that ends the program takes them along; films by a worker
while the game goes on, which does nothing at all while it is asked to be quiet. Until then the held seconds lie in a
spool on the disk (footage_spool.py): a film that was not finished is finished when the game goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from shutil import rmtree
from threading import Condition, Event
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.capture.held_footage import HeldFootage
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.atomic_files import remove_parts
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.evidence_writing import keep_stills, keep_what_came
from bunnymoose_cv.record.footage_spool import (
    SpooledFootage,
    SpoolError,
    remove_spool,
    spool,
    spool_path,
    spooled_rounds,
    spools_of,
)
from bunnymoose_cv.record.round_film import (
    FILM_AFTER_CUE_S,
    FILM_BEFORE_CUE_S,
    NotWantedError,
    RoundFilm,
    UnhurriedFootage,
    drop_footage,
    keep_film,
    kept_movers,
    movers_of,
    spooled_footage,
)
from bunnymoose_cv.record.round_folder import ROUNDS, EvidenceError, round_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from bunnymoose_cv.record.evidence_writing import RoundEvidence
    from bunnymoose_cv.record.replay import Footage, Mover
    from bunnymoose_cv.record.round_folder import RoundFolder

_logger = logging.getLogger(__name__)

_PATIENCE_S: Final = 10.0
"""Longest wait of the worker for the seconds after the cue, when a camera is lost in the middle of them."""


class EvidenceKeeper:
    """Keeps the evidence of a game's rounds beside the game.

    What cannot be kept is given up with one sentence; the game knows nothing of it. What was begun stands whole under
    its name or not at all, so that an interruption at any moment leaves the rest as it was.
    """

    def __init__(self, game_folder: Path, tell: Callable[[str], None]) -> None:
        """Begin to work; what an interrupted evening left half written is taken away.

        Args:
            game_folder: the game's own folder.
            tell: takes a sentence about something that could not be kept; called from the worker's thread too.
        """
        self._game_folder = game_folder
        self._tell = tell
        self._worker = ActorThread("evidence")
        self._newest: dict[int, object] = {}
        self._filmed: int | None = None
        self._changed = Condition()
        self._fault: Exception | None = None
        self._may_work = Event()
        self._may_work.set()
        remove_parts(game_folder / ROUNDS)
        # Pools and no actor threads: two wait side by side, and all that was begun is waited for at the end.
        self._holder = ThreadPoolExecutor(max_workers=2, thread_name_prefix="held footage")
        self._spooler = ThreadPoolExecutor(max_workers=1, thread_name_prefix="spooled footage")
        self._holding: dict[int, Future[Footage]] = {}
        self._spools: set[Path] = set()
        self._cues: dict[int, object] = {}
        self._film_what_was_left()
        self._worker.start()

    def hold(self, number: int, cue_s: float, footage: Footage) -> None:
        """Hold the seconds around a cue as soon as they are there, however long the reading takes.

        Call it at the cue, before anything is read. What an earlier cue of the round left is no longer its evidence.

        Args:
            number: the round, from 1.
            cue_s: when Bam was said, on the clock of the footage.
            footage: the pictures and the sound of the round.
        """
        self.forget(number)
        self._holding[number] = self._hold(number, cue_s, footage)

    def _hold(self, number: int, cue_s: float, footage: Footage) -> Future[Footage]:
        path = spool_path(self._game_folder, number, self._spools)
        self._spools.add(path)
        cue = self._cues[number] = object()
        held = self._holder.submit(_held, footage, cue_s)
        return self._spooler.submit(self._spooled, path, held, cue_s, lambda: self._cues.get(number) is cue)

    def forget(self, number: int) -> None:
        """Drop readings, pictures, footage and film of a cue that was taken back, without waiting for the film.

        Args:
            number: the round, from 1.
        """
        self._cues.pop(number, None)
        self._holding.pop(number, None)
        with self._changed:
            self._newest[number] = object()  # whoever writes a film of it just now takes away what comes of that
            rmtree(round_folder(self._game_folder, number).folder, ignore_errors=True)
        for path in spools_of(self._game_folder, number):
            remove_spool(path)

    def keep(self, evidence: RoundEvidence) -> RoundFolder:
        """Keep what was read and judged, now: whatever ends the program from here on takes none of it along.

        Args:
            evidence: replaces what was kept of that round before, film and all.

        Returns:
            Where it lies.
        """
        kept = round_folder(self._game_folder, evidence.number)
        with self._changed:
            self._newest[evidence.number] = object()  # a film of it that is being written is no longer wanted
            self._changed.wait_for(lambda: self._filmed != evidence.number)
        self._attempt(lambda: keep_stills(kept, evidence))
        return kept

    def complete(self, evidence: RoundEvidence, footage: Footage) -> None:
        """Add what came later: who moved, what was said, further frames, and the film, which the worker writes.

        Args:
            evidence: of a round that was kept.
            footage: the pictures and the sound of the round; what was held at the cue comes first.
        """
        kept = round_folder(self._game_folder, evidence.number)
        held = self._holding.pop(evidence.number, None)
        if not kept.json.is_file():
            if held is not None:
                self._drop_later(held)
            return
        self._attempt(lambda: keep_what_came(kept, evidence))
        if held is None:
            held = self._hold(evidence.number, evidence.cue_s, footage)
        self._film_later(kept, self._film(evidence.number, evidence.cue_s, movers_of(evidence)), held)

    def make_again(self, number: int, footage: Footage | None) -> None:
        """Have the film written that an interrupted program left unwritten; say so where that cannot be.

        Args:
            number: a round that is over.
            footage: where the pictures of the round are still to be had; None where they are gone.
        """
        kept = round_folder(self._game_folder, number)
        if kept.has_film or number in self._newest:
            return
        self._attempt(lambda: self._film_again(kept, number, footage))

    def has_evidence(self, number: int) -> bool:
        """True if pictures and readings of a round are kept."""
        return round_folder(self._game_folder, number).json.is_file()

    def held(self, number: int) -> tuple[SpooledFootage, float] | None:
        """Footage that an interrupted program held of a round, and the cue's time in it; None where there is none."""
        for path in reversed(spools_of(self._game_folder, number)):
            with suppress(SpoolError):
                footage = SpooledFootage.open(path)
                return footage, footage.cue_s
        return None

    def _film_again(self, kept: RoundFolder, number: int, footage: Footage | None) -> None:
        shape = kept.read()
        if shape is None or footage is None:
            raise EvidenceError(
                Phrase(
                    "Round {number} has no replay: the program ended while it was being written, "
                    "and its pictures are gone.",
                    number=number,
                )
            )
        film = self._film(number, shape.cue_s, kept_movers(shape))
        self._do_later(lambda: self._keep_film(kept, film, footage))

    def _film_what_was_left(self) -> None:
        """Have the films written of which an interrupted program left the footage."""
        for number in spooled_rounds(self._game_folder):
            self._attempt(partial(self._film_spool, number))

    def _film_spool(self, number: int) -> None:
        kept = round_folder(self._game_folder, number)
        footage = spooled_footage(kept, number)
        if footage is not None:
            self._film_again(kept, number, footage)
        elif kept.has_film:
            for path in spools_of(self._game_folder, number):
                remove_spool(path)

    def _film(self, number: int, cue_s: float, movers: Iterable[Mover]) -> RoundFilm:
        """The film of a round as it is kept now; it is wanted until the round is kept again or forgotten."""
        newest = self._newest.setdefault(number, object())
        return RoundFilm(number, cue_s, tuple(movers), lambda: self._newest[number] is newest)

    def _spooled(self, path: Path, held: Future[Footage], cue_s: float, wanted: Callable[[], bool]) -> Footage:
        """Put what is held on the disk, where it costs no memory; a disk that refuses leaves it in memory."""
        footage = held.result()
        if not isinstance(footage, HeldFootage) or not wanted():
            return footage
        try:
            spooled = spool(footage, cue_s, path, self._may_work.wait)
        except OSError:
            _logger.warning("held footage stays in memory: %s", path.name, exc_info=True)
            return footage
        if not wanted():
            remove_spool(path)  # that Bam was none
        return spooled

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Do nothing for a while: from the cue to the voice all of the computer belongs to the referee."""
        self._may_work.clear()
        try:
            yield
        finally:
            self._may_work.set()

    def finish(self) -> None:
        """Wait until everything is kept. Nothing can be kept afterwards.

        Raises:
            Exception: a fault of ours, after which the rest was still kept.
        """
        for number in tuple(self._holding):
            self._attempt(partial(self._film_held, number))
        self._worker.finish()
        self._holder.shutdown()
        self._spooler.shutdown()
        if self._fault is not None:
            raise self._fault

    def _film_held(self, number: int) -> None:
        """Have the film written of a round that was judged, but not looked at to its end."""
        kept, held = round_folder(self._game_folder, number), self._holding.pop(number)
        shape = kept.read()
        if shape is None:
            self._drop_later(held)
        else:
            self._film_later(kept, self._film(number, shape.cue_s, kept_movers(shape)), held)

    def _film_later(self, kept: RoundFolder, film: RoundFilm, held: Future[Footage]) -> None:
        self._do_later(lambda: self._keep_film(kept, film, held.result()))

    def _drop_later(self, held: Future[Footage]) -> None:
        self._do_later(lambda: drop_footage(held.result()))

    def _do_later(self, job: _Job) -> None:
        def do() -> None:
            self._may_work.wait()
            self._attempt(job)

        self._worker.submit(do)

    def _attempt(self, job: _Job) -> None:
        try:
            job()
        except InputError as error:
            _logger.warning("evidence is not kept", exc_info=True)
            self._tell(error.sentence)
        except Exception as error:  # raised again by `finish`; the other rounds are still kept
            _logger.exception("evidence is not kept")
            self._fault = error

    def _keep_film(self, kept: RoundFolder, film: RoundFilm, footage: Footage) -> None:
        with self._changed:
            if not film.wanted():
                return
            self._filmed = film.number
        try:
            keep_film(kept, film, UnhurriedFootage(footage, self._may_work, film.wanted))
            drop_footage(footage)
        except NotWantedError:
            pass
        except EvidenceError as error:
            if not film.wanted():
                return
            if not isinstance(footage, SpooledFootage):
                raise
            held = Phrase("{sentence} Its pictures are held: make the film in the history.", sentence=error.sentence)
            raise EvidenceError(held) from error
        finally:
            with self._changed:
                if not film.wanted():
                    rmtree(kept.folder, ignore_errors=True)
                self._filmed = None
                self._changed.notify_all()


def _held(footage: Footage, cue_s: float) -> Footage:
    """Footage of the film, once the last of it has come."""
    footage.wait_for(cue_s + FILM_AFTER_CUE_S, _PATIENCE_S)
    return footage.held(cue_s - FILM_BEFORE_CUE_S, cue_s + FILM_AFTER_CUE_S)


_Job: TypeAlias = Callable[[], None]
