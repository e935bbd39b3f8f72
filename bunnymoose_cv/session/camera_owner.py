"""One owner of the chosen camera: a preview, a practice, a warm-up, a check or a game looks through it at a time."""

from __future__ import annotations

import logging
from contextlib import ExitStack, contextmanager
from enum import Enum
from functools import partial
from threading import Condition, Lock, RLock
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from bunnymoose_cv.session.game_setup import GameSetup
    from bunnymoose_cv.session.practice.practice import PracticeSession
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.source_actor import SourceActor
    from bunnymoose_cv.session.table_factory import TableFactory
    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide

_logger = logging.getLogger(__name__)

LINGER_S: Final = 3.0
"""Time for which a use stays open without watchers, so that a reloaded page finds it open."""

OPENING: Final = Phrase("One moment: the camera is being opened.")
NOTHING_BEGINS: Final = Phrase("No game can be started here: start “bunnymoose play”.")


class TableMode(Enum):
    """Use of the camera. A check that is opened in a game shares the game's camera: the mode remains GAME."""

    IDLE = "idle"
    PREVIEW = "preview"
    PRACTICE = "practice"
    WARM_UP = "warm-up"
    CHECK = "check"
    GAME = "game"


_REFUSALS_IN_A_GAME: Final = {
    TableMode.PRACTICE: Phrase("A game is being played: practise before it or after it."),
    TableMode.WARM_UP: Phrase("A game is being played: warm up before it or after it."),
}
_REFUSALS_WITHOUT_CAMERA: Final = {
    TableMode.PRACTICE: Phrase("Practice needs a camera: choose one on the page “New game”."),
    TableMode.WARM_UP: Phrase("The warm-up needs a camera: choose one on the page “New game”."),
    TableMode.CHECK: Phrase("The check needs a camera: choose one on the page “New game”."),
}


Opened = TypeVar("Opened", bound="SourceActor[Any]")


class CameraUse(Generic[Opened]):
    """Use of the camera before or beside a game, open while pages watch it.

    Args:
        make: makes the use, to be opened with `with`.
        shown: returns what pages show of the use, without what changes with every frame; None shows no changes.

    Attributes:
        opened: the open use; None while it is closed.
        was_closed: whether another use or a game took the camera from it.
        problem: the reason why it could not be opened; None without one.
        is_outdated: True if it must be opened again for another set-up.
    """

    def __init__(
        self,
        owner: CameraOwner,
        mode: TableMode,
        make: Callable[[TableFactory], AbstractContextManager[Opened]],
        shown: Callable[[Opened], object] | None = None,
    ) -> None:
        self._owner, self.mode, self.make, self.shown = owner, mode, make, shown
        self.opened: Opened | None = None
        self.was_closed = self.is_outdated = False
        self.problem: str | None = None
        self.watchers = 0

    @contextmanager
    def keep_open(self) -> Iterator[None]:
        """Keep the use open within `with`."""
        self._owner.change_watchers(self, 1)
        try:
            yield
        finally:
            self._owner.change_watchers(self, -1)

    def open(self) -> Opened | None:
        """Open the use now, in place of another one, and return it; see `CameraOwner.open`."""
        return self._owner.open(self)

    def open_again(self) -> None:
        """Open the use again, on the owner's thread, for the current set-up."""
        self.is_outdated = True
        self._owner.request(self)

    def reopen_if_closed(self) -> None:
        """Open the use again if it was closed or could not be opened."""
        if self.opened is None:
            self.was_closed = False
            self._owner.notify()
            self.open_again()

    def close(self) -> None:
        """Close the use if it is open."""
        self._owner.close(self)
        self.was_closed = False

    def require_open(self, refusal: Phrase) -> Opened:
        """Return the open use, or raise an `InputError` with the refusal if it is closed."""
        if self.opened is None:
            raise InputError(refusal)
        return self.opened


class TaskThread:
    """Thread for the slow tasks of pages, in order; it starts with the first one."""

    def __init__(self, name: str) -> None:
        self._actor = ActorThread(name)
        self._starting = Lock()

    def do(self, task: Callable[[], None]) -> None:
        """Carry out a task after those before it; an exception in it is logged."""
        self._actor.submit(partial(self._attempt, task))
        with self._starting:
            if not self._actor.running:
                self._actor.start()

    def _attempt(self, task: Callable[[], None]) -> None:
        try:
            task()
        except Exception:
            _logger.exception("a page cannot open what it watches")


class CameraOwner:
    """Thread-safe owner of the camera and of the game in front of it. Opening and closing take seconds.

    Pages request uses, which are opened and closed in order on the owner's thread; of several waiting requests the
    newest counts. A game takes the camera from every use.

    Args:
        factory: opens everything; None opens nothing.
        setup: the first set-up of the next game.
        notify: called when pages show something else of a use, and when one was opened or could not be.
    """

    def __init__(self, factory: TableFactory | None, setup: GameSetup, notify: Callable[[], None]) -> None:
        self._factory, self.setup, self.notify = factory, setup, notify
        self.session: Session | None = None
        self.played: GameSetup | None = None
        self.preview = CameraUse(self, TableMode.PREVIEW, lambda factory: factory.preview(self.setup))
        self.practice = CameraUse(
            self, TableMode.PRACTICE, lambda factory: factory.practice(self.setup), _shown_of_practice
        )
        self.warm_up = CameraUse(
            self, TableMode.WARM_UP, lambda factory: factory.warm_up(self.setup), _shown_of_warm_up
        )
        self.check = CameraUse(
            self, TableMode.CHECK, lambda factory: factory.check(self.setup, self.session), lambda check: check.state
        )
        self._lock = RLock()
        self._use: CameraUse[Any] | None = None
        self._open_use, self._open_game = ExitStack(), ExitStack()
        self.worker = TaskThread("camera")
        self._changed = Condition()
        self._wanted: CameraUse[Any] | None = None

    @property
    def mode(self) -> TableMode:
        """Return the current use of the camera."""
        use = self._use
        if self.session is not None:
            return TableMode.GAME
        return TableMode.IDLE if use is None else use.mode

    @property
    def user(self) -> Session | SourceActor[Any] | None:
        """Return the game or the use that looks through the camera; None if it is idle."""
        session, use = self.session, self._use
        return session if session is not None or use is None else use.opened

    # Uses that pages watch.

    def request(self, use: CameraUse[Any]) -> None:
        """Open a use on the owner's thread if it is closed or outdated, unless another one is requested before."""
        with self._changed:
            self._wanted = use
            self._changed.notify_all()
        self.worker.do(self._serve_request)

    def change_watchers(self, use: CameraUse[Any], change: int) -> None:
        """Count a page that begins or ends to watch a use, and open it for the first or close it after the last."""
        with self._changed:
            use.watchers += change
            self._changed.notify_all()
        if change > 0:
            self.request(use)
        else:
            self.worker.do(partial(self._close_if_left, use))

    def open(self, use: CameraUse[Opened]) -> Opened | None:
        """Open a use in place of another one, and return it; None if there is nothing to open.

        Raise an `InputError` if it cannot be opened.
        """
        with self._lock:
            factory = self._factory_for(use.mode) if use.opened is None else None
            if factory is not None:
                making = use.make(factory)
                self.close()
                use.opened, use.was_closed = self._open_use.enter_context(making), False
                self._use = use
                if use.shown is not None:
                    self._follow(use.opened, use.shown)
            return use.opened

    def close(self, use: CameraUse[Any] | None = None) -> None:
        """Close the open use; if a use is given, only that one."""
        with self._lock:
            if self._use is None or use not in {None, self._use}:
                return
            closed, self._use = self._use, None
            closed.opened, closed.was_closed = None, True
            self._open_use.close()

    def _factory_for(self, mode: TableMode) -> TableFactory | None:
        """Return the factory for a use; None if there is nothing to preview.

        Raise an `InputError` if a game is being played, or no camera is chosen.
        """
        if self.session is not None and mode in _REFUSALS_IN_A_GAME:
            raise InputError(_REFUSALS_IN_A_GAME[mode])
        has_camera = self.setup.camera is not None or self.session is not None
        if (self._factory is None or not has_camera) and mode in _REFUSALS_WITHOUT_CAMERA:
            raise InputError(_REFUSALS_WITHOUT_CAMERA[mode])
        is_needless = mode is TableMode.PREVIEW and (self.session is not None or not has_camera)
        return None if is_needless else self._factory

    def _follow(self, opened: Opened, shown: Callable[[Opened], object]) -> None:
        """Notify pages of each change that they show, until the use is closed and publishes nothing more."""
        last: object = None

        def compare(_: object) -> None:
            nonlocal last
            now = shown(opened)
            if now != last:
                last = now
                self.notify()

        opened.listen(compare)

    def _serve_request(self) -> None:
        with self._changed:
            use, self._wanted = self._wanted, None
        if use is None or not use.watchers or (use.opened is not None and not use.is_outdated):
            return
        use.is_outdated, use.problem = False, None
        use.close()
        try:
            self.open(use)
        except InputError as error:
            use.problem = error.sentence
        self.notify()

    def _close_if_left(self, use: CameraUse[Any]) -> None:
        with self._changed:
            self._changed.wait_for(lambda: use.watchers or self._wanted not in {None, use}, LINGER_S)
            if use.watchers:
                return
        use.close()

    # The game.

    def begin(self, setup: GameSetup, *, resume: bool = False) -> None:
        """Begin or resume a game, or raise an `InputError`; a running one ends, and is stored, only on success."""
        if self._factory is None:
            raise InputError(NOTHING_BEGINS)
        with self._lock:
            # An unfinished game is looked up before the running one ends and becomes unfinished itself.
            making = self._factory.resume(setup) if resume else self._factory.game(setup)
            before, folder = self.played, None if self.session is None else self.session.state.folder
            if before is not None:
                self._rehearse(self._factory, setup, before)
            self.end()
            try:
                self.session, self.played = self._open_game.enter_context(making), setup
            except BaseException:
                if before is not None and folder is not None:
                    self._reopen(self._factory, before, folder)
                raise
            self.setup = setup

    def end(self) -> None:
        """Close the running game, which is stored, and the open use."""
        with self._lock:
            self.close()
            self.session = self.played = None
            self._open_game.close()

    def _rehearse(self, factory: TableFactory, setup: GameSetup, playing: GameSetup) -> None:
        """Raise an `InputError` if a game cannot be opened in place of the running one."""
        setup.started()
        is_lost = self.session is not None and self.session.state.camera is CameraState.LOST
        if is_lost and setup.camera == playing.camera:
            raise InputError(Phrase("The camera is gone: plug it in again, or choose another one."))
        factory.rehearse(setup, playing)

    def _reopen(self, factory: TableFactory, setup: GameSetup, folder: Path) -> None:
        """Resume the game that was closed for one that cannot be opened; if that fails, players can resume it later."""
        try:
            self.session, self.played = self._open_game.enter_context(factory.resume(setup, folder)), setup
        except (InputError, OSError):
            _logger.warning("the game before cannot be opened again", exc_info=True)
        self.notify()


def _shown_of_practice(session: PracticeSession) -> object:
    state, lesson = session.state, session.state.lesson
    return (lesson.number, lesson.done, lesson.tallies, state.consent, state.kept), state.problem, state.over


def _shown_of_warm_up(guide: WarmUpGuide) -> object:
    view = guide.state
    step = None if view.round is None else (view.round.number, view.round.again, view.round.step)
    return view.phase, view.row, view.asked, dict(view.exempt), dict(view.understood), view.problem, step
