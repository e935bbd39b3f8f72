"""Holder of the footage of rounds: from the cue on in memory, then in a spool on the disk (footage_spool.py)."""

from __future__ import annotations

import logging
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.held_footage import HeldFootage
from bunnymoose_cv.record.footage_spool import remove_spool, spool, spool_path, spools_of
from bunnymoose_cv.record.round_film import FILM_AFTER_CUE_S, FILM_BEFORE_CUE_S

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bunnymoose_cv.record.replay import Footage

_logger = logging.getLogger(__name__)

_PATIENCE_S: Final = 10.0
"""Longest wait for the seconds after the cue, when a camera is lost in the middle of them."""


class FootageHolder:
    """Holder of the seconds around the cue of each round until they are taken; rounds are counted from 1.

    Args:
        pause: called before each frame is written; returns when the disk may be used.
    """

    def __init__(self, game_folder: Path, pause: Callable[[], object]) -> None:
        self._game_folder = game_folder
        self._pause = pause
        # Pools and no actor threads: two wait side by side, and all that was begun is waited for at the end.
        self._waiting = ThreadPoolExecutor(max_workers=2, thread_name_prefix="held footage")
        self._spooling = ThreadPoolExecutor(max_workers=1, thread_name_prefix="spooled footage")
        self._held: dict[int, Future[Footage]] = {}
        self._planned: set[Path] = set()
        self._wanted: dict[int, Path] = {}

    @property
    def rounds(self) -> tuple[int, ...]:
        """Rounds whose footage is held and not taken yet."""
        return tuple(self._held)

    def hold(self, number: int, cue_s: float, footage: Footage) -> None:
        """Hold the seconds around a cue as soon as they are there.

        Args:
            cue_s: when Bam was said, on the clock of the footage.
        """
        path = self._wanted[number] = spool_path(self._game_folder, number, self._planned)
        self._planned.add(path)
        held = self._waiting.submit(_held, footage, cue_s)
        self._held[number] = self._spooling.submit(self._spooled, number, path, held, cue_s)

    def take(self, number: int) -> Future[Footage] | None:
        """Hand out the footage of a round, which is there in a while; None where none is held."""
        return self._held.pop(number, None)

    def forget(self, number: int) -> None:
        """Drop the footage of a round, also what another program has left of it."""
        self._wanted.pop(number, None)
        self._held.pop(number, None)
        for path in spools_of(self._game_folder, number):
            remove_spool(path)

    def finish(self) -> None:
        """Wait until everything is held. Nothing can be held afterwards."""
        self._waiting.shutdown()
        self._spooling.shutdown()

    def _spooled(self, number: int, path: Path, held: Future[Footage], cue_s: float) -> Footage:
        """Put what is held on the disk, where it costs no memory; a disk that refuses leaves it in memory."""
        footage = held.result()
        if not isinstance(footage, HeldFootage) or self._wanted.get(number) != path:
            return footage
        try:
            spooled = spool(footage, cue_s, path, self._pause)
        except OSError:
            _logger.warning("held footage stays in memory: %s", path.name, exc_info=True)
            return footage
        if self._wanted.get(number) != path:
            remove_spool(path)  # that Bam was none
        return spooled


def _held(footage: Footage, cue_s: float) -> Footage:
    """Footage of the film, once the last of it has come."""
    footage.wait_for(cue_s + FILM_AFTER_CUE_S, _PATIENCE_S)
    return footage.held(cue_s - FILM_BEFORE_CUE_S, cue_s + FILM_AFTER_CUE_S)
