"""State of the set-up page besides the set-up itself: offered cameras, games and tables to return to, and voices."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.session.camera_owner import NOTHING_BEGINS, TaskThread
from bunnymoose_cv.voice.engine import Engine
from bunnymoose_cv.voice.voices import VoiceError
from bunnymoose_cv.web.limits import EVENING_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bunnymoose_cv.session.camera_owner import CameraOwner
    from bunnymoose_cv.session.game_setup import GameSetup
    from bunnymoose_cv.session.source_choice import OfferedSources
    from bunnymoose_cv.session.table_factory import TableFactory
    from bunnymoose_cv.voice.voices import Voice

SEARCH_S: Final = 2.0
"""Interval of the search for cameras while there is none, since players who plug one in look at the page."""


class SetupState:
    """Slow work of a set-up, done on a thread of its own, so that a slow driver delays no use of the camera.

    Attributes:
        unfinished: the set-up that resumes the evening's last game; None if it was played to its end.
        last_table: the set-up with the last table; None without one, or if it is chosen already.
    """

    def __init__(
        self, camera: CameraOwner, factory: TableFactory | None, cameras: Sequence[str], notify: Callable[[], None]
    ) -> None:
        self._camera, self._factory, self._notify = camera, factory, notify
        self.cameras = tuple(cameras)
        self._worker = TaskThread("set-up")
        self._searched_s = time.monotonic()
        self.is_opening = False
        self.unfinished: GameSetup | None = None
        self.last_table: GameSetup | None = None
        self.voices: tuple[Voice, ...] = ()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Keep the chosen camera open within `with`, and find what can be chosen."""
        self._worker.do(self.find_games)
        with self._camera.preview.keep_open():
            self._worker.do(self._find_voices)
            yield

    def search_cameras(self, interval_s: float = SEARCH_S) -> None:
        """Look for cameras on another thread, if the last search was an interval ago."""
        if time.monotonic() >= self._searched_s + interval_s:
            self._searched_s = time.monotonic()
            self._worker.do(self.find_cameras)

    def find_cameras(self) -> None:
        """Offer the cameras that have been plugged in since, and choose the first of all."""
        if self._factory is None:
            return
        before = self.cameras
        self._factory.sources.find_cameras()
        self.cameras = self._factory.sources.titles
        if self.cameras == before:
            return
        if not before and self._camera.setup.camera is None:
            self._camera.setup = replace(self._camera.setup, camera=0)
            self._camera.preview.open_again()
        self._notify()

    def offer(self, where: str) -> GameSetup:
        """Offer an address or a file, and return the set-up that looks at it; raise an `InputError` if it fails."""
        sources = self._require_sources()
        camera = sources.offer(where)
        self.cameras = sources.titles
        return replace(self._camera.setup, camera=camera)

    def offer_demo(self) -> GameSetup:
        """Offer the bundled clip, and return the set-up with its players."""
        sources = self._require_sources()
        camera, script = sources.offer_demo()
        self.cameras = sources.titles
        return replace(self._camera.setup, players=script.players, rules=script.rules, colours=(), camera=camera)

    def begin(self, begin: Callable[[GameSetup], None], setup: GameSetup) -> None:
        """Begin or resume a game, and show on the page that it is being opened."""
        self.is_opening = True
        self._notify()
        try:
            begin(setup)
        except InputError:
            self._camera.preview.open_again()
            raise
        finally:
            self.is_opening = False
            self._worker.do(self.find_games)
            self._notify()

    def find_games(self) -> None:
        """Find the unfinished game of this evening, and the last table unless it is the same."""
        if self._factory is None:
            return
        setup, since = self._camera.setup, datetime.now(tz=UTC) - timedelta(seconds=EVENING_S)
        self.unfinished, last = self._factory.unfinished(setup, since), self._factory.last_table(setup)
        is_same = self.unfinished is not None and last is not None and _table(self.unfinished) == _table(last)
        self.last_table = None if is_same else last
        self._notify()

    def _find_voices(self) -> None:
        """Find the voices, once; there are none if this computer cannot speak."""
        if self.voices:
            return
        try:
            with Engine() as engine:
                self.voices = engine.voices()
        except VoiceError:
            return
        self._notify()

    def _require_sources(self) -> OfferedSources:
        if self._factory is None:
            raise InputError(NOTHING_BEGINS)
        return self._factory.sources


def _table(setup: GameSetup) -> tuple[tuple[str, ...], int | None]:
    return setup.players, setup.camera
