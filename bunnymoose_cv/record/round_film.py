"""The film of a round: its parts, and its writer, which aborts a film as soon as it is cancelled."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from shutil import rmtree
from threading import Condition, Event, Lock
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.announcements.phrases import announce_movement
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.errors import InputError, reason_of
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.evidence_writing import RoundEvidence, write_text
from bunnymoose_cv.record.footage_spool import (
    FILM_AFTER_CUE_S,
    FILM_BEFORE_CUE_S,
    SpooledFootage,
    SpoolError,
    remove_spool,
    spools_of,
)
from bunnymoose_cv.record.replay import Mover, write_round_film
from bunnymoose_cv.record.round_folder import EvidenceError, RoundFolder, round_folder
from bunnymoose_cv.record.video_file import Progress, with_progress
from bunnymoose_cv.vision.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from bunnymoose_cv.capture.footage import FilmFootage, Footage
    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.capture.sound import Sound
    from bunnymoose_cv.record.evidence_json import RoundShape


_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class RoundFilm:
    """Parts of a round's film besides its footage; it is not `wanted` once the round is stored again or undone."""

    number: int
    cue_s: float
    movers: tuple[Mover, ...]
    wanted: Callable[[], bool]


class NotWantedError(Exception):
    """Error of a film whose Bam was undone; the round was played again, and its folder has other evidence."""


@dataclass(frozen=True, slots=True)
class _PacedFootage:
    """Footage whose frames pass through a generator, which may wait, report its progress or raise an error."""

    footage: FilmFootage
    pace: Callable[[Iterable[Frame]], Iterator[Frame]]

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        return self.pace(self.footage.frames(start_s, end_s))

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        return self.footage.sound(start_s, end_s)


def make_film_again(game_folder: Path, number: int, report: Progress) -> None:
    """Write the film of a round from its held footage; raise an `EvidenceError` if it is gone, or writing fails."""
    kept = round_folder(game_folder, number)
    footage, shape = spooled_footage(kept, number), kept.read()
    if footage is None or shape is None:
        raise EvidenceError(Phrase("The pictures of round {number} are no longer held.", number=number))
    film = RoundFilm(number, shape.cue_s, tuple(kept_movers(shape)), lambda: True)
    begin_s, end_s = footage.cue_s - FILM_BEFORE_CUE_S, footage.cue_s + FILM_AFTER_CUE_S
    keep_film(kept, film, _PacedFootage(footage, lambda frames: with_progress(frames, begin_s, end_s, report)))
    drop_footage(footage)


def spooled_footage(kept: RoundFolder, number: int) -> SpooledFootage | None:
    """Return the spooled footage of a round without a film; None if no spool has the time of the evidence."""
    shape = None if kept.has_film else kept.read()
    if shape is None:
        return None
    for path in reversed(spools_of(kept.folder.parent.parent, number)):
        try:
            footage = SpooledFootage.open(path)
        except SpoolError:
            _logger.warning("the spool of round %d cannot be read", number, exc_info=True)
        else:
            if abs(footage.cue_s - shape.cue_s) < _SAME_TIME_S:
                return footage
    return None


_SAME_TIME_S: Final = 0.001
"""Tolerance for times in evidence, which are rounded."""

_one_film_at_a_time = Lock()
"""Lock of writing, since a page may request the film that the keeper is about to write."""


def keep_film(kept: RoundFolder, film: RoundFilm, footage: FilmFootage) -> None:
    """Write the film of a round, unless it exists; raise an `EvidenceError` if it cannot be written."""
    with _one_film_at_a_time:
        if kept.has_film:
            return
        try:
            times = write_round_film(kept.replay, footage, film.cue_s, read_image(kept.frozen()), film.movers)
            write_text(kept.times, times.model_dump_json())
        except (OSError, InputError) as error:
            sentence = Phrase("Round {number} has no replay ({reason}).", number=film.number, reason=reason_of(error))
            raise EvidenceError(sentence) from error


def drop_footage(footage: Footage) -> None:
    """Delete the spool of a finished film."""
    if isinstance(footage, SpooledFootage):
        remove_spool(footage.path)


def movers_of(evidence: RoundEvidence) -> Iterator[Mover]:
    """Yield the players who moved in a round that is being stored."""
    for seat, time_s in sorted(evidence.moved.items()):
        face = next((player.face for player in evidence.agreed.players if player.seat == seat), None)
        if face is not None:
            yield Mover(seat, announce_movement([evidence.players[seat - 1]], evidence.language), face, time_s)


def kept_movers(shape: RoundShape) -> Iterator[Mover]:
    """Yield the players who moved according to stored evidence."""
    for move in shape.moved:
        reading = shape.reading_of(move.seat)
        if reading is not None and 1 <= move.seat <= len(shape.players):
            caption = announce_movement([shape.players[move.seat - 1]], shape.language)
            yield Mover(move.seat, caption, Box(*reading.face_px), move.time_s)


class FilmWriter:
    """Writer of films on one thread, while other threads plan and cancel them; frames are written during `may_work`."""

    def __init__(self, may_work: Event) -> None:
        self._may_work = may_work
        self._changed = Condition()
        self._newest: dict[int, object] = {}
        self._written: int | None = None

    def plan(self, number: int, cue_s: float, movers: Iterable[Mover]) -> RoundFilm:
        """Plan the film of a round's current evidence; the film is wanted until it is cancelled."""
        newest = self._newest.setdefault(number, object())
        return RoundFilm(number, cue_s, tuple(movers), lambda: self._newest[number] is newest)

    def knows(self, number: int) -> bool:
        """Return whether a film of a round was planned or cancelled here."""
        return number in self._newest

    def cancel(self, number: int) -> None:
        """Cancel the film of a round, and wait until its writing has stopped."""
        with self._changed:
            self._newest[number] = object()
            self._changed.wait_for(lambda: self._written != number)

    def remove(self, number: int, kept: RoundFolder) -> None:
        """Cancel the film of a round, and remove the round's evidence, without waiting."""
        with self._changed:
            self._newest[number] = object()  # a thread that is writing it removes the result
            rmtree(kept.folder, ignore_errors=True)

    def write(self, kept: RoundFolder, film: RoundFilm, footage: Footage) -> None:
        """Write a film, unless it exists or has been cancelled, and drop the spool of its footage."""
        with self._changed:
            if not film.wanted():
                return
            self._written = film.number
        try:
            keep_film(kept, film, _PacedFootage(footage, lambda frames: self._while_wanted(film, frames)))
            drop_footage(footage)
        except NotWantedError:
            pass
        except EvidenceError as error:
            if not film.wanted():
                return
            if not isinstance(footage, SpooledFootage) or isinstance(error.__cause__, SpoolError):
                raise
            held = Phrase("{sentence} Its pictures are held: make the film in the history.", sentence=error.sentence)
            raise EvidenceError(held) from error
        finally:
            with self._changed:
                if not film.wanted():
                    rmtree(kept.folder, ignore_errors=True)
                self._written = None
                self._changed.notify_all()

    def _while_wanted(self, film: RoundFilm, frames: Iterable[Frame]) -> Iterator[Frame]:
        """Yield each frame once work is allowed; raise a `NotWantedError` after the film was cancelled."""
        for frame in frames:
            self._may_work.wait()
            if not film.wanted():
                raise NotWantedError
            yield frame
