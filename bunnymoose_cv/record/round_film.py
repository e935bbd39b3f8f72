"""The film of a round, written from what was held of it, at once or after an interruption."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from threading import Event, Lock
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.evidence_writing import reason_of, write_text
from bunnymoose_cv.record.footage_spool import SpooledFootage, SpoolError, spools_of
from bunnymoose_cv.record.replay import Mover, Stretch, write_round_film
from bunnymoose_cv.record.round_folder import EvidenceError, round_folder
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.voice.phrases import tell_moved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.capture.sound import Sound
    from bunnymoose_cv.record.evidence_json import RoundShape
    from bunnymoose_cv.record.evidence_writing import RoundEvidence
    from bunnymoose_cv.record.highlight_films import Progress
    from bunnymoose_cv.record.replay import FilmFootage, Footage
    from bunnymoose_cv.record.round_folder import RoundFolder

_logger = logging.getLogger(__name__)

FILM_BEFORE_CUE_S: Final = 8.0
FILM_AFTER_CUE_S: Final = 4.0
"""Time around the cue that the film of a round shows, seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundFilm:
    """Parts of a round's film besides its footage; the judged frames need no longer be held.

    Attributes:
        cue_s: when Bam was said, on the clock of the footage.
        wanted: False once the round is kept again or its Bam is taken back.
    """

    number: int
    cue_s: float
    movers: tuple[Mover, ...]
    wanted: Callable[[], bool]


class NotWantedError(Exception):
    """Error of evidence for a Bam that was none: the round was played again, and its folder holds another one."""


@dataclass(frozen=True, slots=True)
class UnhurriedFootage:
    """Footage whose frames come only while work is allowed, and as long as they are wanted."""

    footage: FilmFootage
    may_work: Event
    wanted: Callable[[], bool]

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        """The frames of a stretch of time, each as soon as work is allowed.

        Raises:
            NotWantedError: the film is no longer wanted.
        """
        for frame in self.footage.frames(start_s, end_s):
            self.may_work.wait()
            if not self.wanted():
                raise NotWantedError
            yield frame

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """The sound of a stretch of time; None where nothing was heard."""
        return self.footage.sound(start_s, end_s)


@dataclass(frozen=True, slots=True)
class _ToldFootage:
    """Spooled footage that tells how much of it has been looked at, and so lets the referee go first."""

    footage: SpooledFootage
    tell: Progress

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        for frame in self.footage.frames(start_s, end_s):
            self.tell(
                min(
                    1.0,
                    max(
                        0.0,
                        (frame.time_s - self.footage.cue_s + FILM_BEFORE_CUE_S)
                        / (FILM_BEFORE_CUE_S + FILM_AFTER_CUE_S),
                    ),
                )
            )
            yield frame

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        return self.footage.sound(start_s, end_s)


def make_film_again(game_folder: Path, number: int, tell: Progress) -> None:
    """Write the film of a round from the footage that was held for it.

    Args:
        tell: takes the share that is made, 0 to 1; returns when work may go on.

    Raises:
        EvidenceError: there is no such footage, or the film cannot be written.
    """
    kept = round_folder(game_folder, number)
    footage, shape = spooled_footage(kept, number), kept.read()
    if footage is None or shape is None:
        raise EvidenceError(Phrase("The pictures of round {number} are no longer held.", number=number))
    film = RoundFilm(number, shape.cue_s, tuple(kept_movers(shape)), lambda: True)
    keep_film(kept, film, _ToldFootage(footage, tell))
    drop_footage(footage)


def spooled_footage(kept: RoundFolder, number: int) -> SpooledFootage | None:
    """The held footage of a round whose film is not written; None where there is none that fits."""
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
"""Evidence rounds its times."""

_one_film_at_a_time = Lock()
"""A page may ask for the film that the keeper is about to write."""


def keep_film(kept: RoundFolder, film: RoundFilm, footage: FilmFootage) -> None:
    """Write the film of a round, unless it is there.

    Raises:
        EvidenceError: it cannot be written.
    """
    with _one_film_at_a_time:
        if kept.has_film:
            return
        try:
            times = write_round_film(
                kept.replay,
                footage,
                Stretch(film.cue_s - FILM_BEFORE_CUE_S, film.cue_s, film.cue_s + FILM_AFTER_CUE_S),
                read_image(kept.still),
                film.movers,
            )
            write_text(kept.times, times.model_dump_json())
        except (OSError, InputError) as error:
            sentence = Phrase("Round {number} has no replay ({reason}).", number=film.number, reason=reason_of(error))
            raise EvidenceError(sentence) from error


def drop_footage(footage: Footage) -> None:
    """Take away the spool of a film that is written."""
    if isinstance(footage, SpooledFootage):
        footage.remove()


def movers_of(evidence: RoundEvidence) -> Iterator[Mover]:
    """Players who moved in a round that is being kept."""
    for seat, time_s in sorted(evidence.moved.items()):
        face = next((player.face for player in evidence.agreed.players if player.seat == seat), None)
        if face is not None:
            yield Mover(seat, tell_moved([evidence.players[seat - 1]], evidence.language), face, time_s)


def kept_movers(shape: RoundShape) -> Iterator[Mover]:
    """Players who moved in a round, as its evidence tells."""
    for each in shape.moved:
        seen = shape.reading_of(each.seat)
        if seen is not None and 1 <= each.seat <= len(shape.players):
            caption = tell_moved([shape.players[each.seat - 1]], shape.language)
            yield Mover(each.seat, caption, Box(*seen.face_px), each.time_s)
