"""Writer of the films of rounds, which gives up a film as soon as it is no longer wanted."""

from __future__ import annotations

from shutil import rmtree
from threading import Condition, Event
from typing import TYPE_CHECKING

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.footage_spool import SpooledFootage, SpoolError
from bunnymoose_cv.record.round_film import NotWantedError, RoundFilm, UnhurriedFootage, drop_footage, keep_film
from bunnymoose_cv.record.round_folder import EvidenceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.record.replay import Footage, Mover
    from bunnymoose_cv.record.round_folder import RoundFolder


class FilmWriter:
    """Writer of films on one thread, while others plan them and call them off; rounds are counted from 1.

    Args:
        may_work: set while frames may be written.
    """

    def __init__(self, may_work: Event) -> None:
        self._may_work = may_work
        self._changed = Condition()
        self._newest: dict[int, object] = {}
        self._written: int | None = None

    def plan(self, number: int, cue_s: float, movers: Iterable[Mover]) -> RoundFilm:
        """Plan the film of a round as it is kept now; it is wanted until it is called off."""
        newest = self._newest.setdefault(number, object())
        return RoundFilm(number, cue_s, tuple(movers), lambda: self._newest[number] is newest)

    def has_dealt_with(self, number: int) -> bool:
        """True if a film of a round was planned or called off here."""
        return number in self._newest

    def call_off(self, number: int) -> None:
        """Call off the film of a round, and wait until nothing is written of it."""
        with self._changed:
            self._newest[number] = object()
            self._changed.wait_for(lambda: self._written != number)

    def remove(self, number: int, kept: RoundFolder) -> None:
        """Call off the film of a round, and remove what is kept of the round, without waiting."""
        with self._changed:
            self._newest[number] = object()  # whoever writes it just now takes away what comes of that
            rmtree(kept.folder, ignore_errors=True)

    def write(self, kept: RoundFolder, film: RoundFilm, footage: Footage) -> None:
        """Write a film, unless it is there or no longer wanted, and drop the spool of its footage.

        Raises:
            EvidenceError: it cannot be written.
        """
        with self._changed:
            if not film.wanted():
                return
            self._written = film.number
        try:
            keep_film(kept, film, UnhurriedFootage(footage, self._may_work, film.wanted))
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
