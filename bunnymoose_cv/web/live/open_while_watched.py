"""Exclusive use of the chosen camera, open as long as a page watches it, such as preview, check and practice."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from functools import partial
from itertools import count
from threading import Condition
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from bunnymoose_cv.session.table_state import LatestReading


class ReadingSource(Protocol):
    """Whatever sees the table while no game runs: the set-up's preview, the practice."""

    @property
    def latest_reading(self) -> LatestReading | None:
        """The newest look."""


Used = TypeVar("Used", bound="ReadingSource")


class ExclusiveCamera:
    """Camera that one thing at a time looks through. Opening and closing take seconds.

    Pages ask for it by numbered requests. A request that is carried out late takes the camera from nothing that was
    asked for after it.

    Args:
        lock: held while something is opened or closed, and while a game is; it may be taken twice.

    Attributes:
        held: whatever looks through the camera.
    """

    def __init__(self, lock: AbstractContextManager[object]) -> None:
        self.lock = lock
        self.held: ReadingSource | None = None
        self._opened: AbstractContextManager[ReadingSource] | None = None
        self._requests = count(1)
        self._held_for = 0

    def request(self) -> int:
        """Return the number of a new request, from any thread."""
        return next(self._requests)

    def hold(self, make: Callable[[], AbstractContextManager[Used] | None], request: int) -> Used | None:
        """Open something before the camera, in place of what looks through it.

        Args:
            make: makes it; None where nothing is to open. Then, and where it raises, what looks through stays.
            request: one that is older than that of what looks through opens nothing.

        Raises:
            InputError: it cannot be opened.
        """
        with self.lock:
            if self.held is not None and request < self._held_for:
                return None
            opened = make()
            if opened is None:
                return None
            self.release()
            used = opened.__enter__()
            self.held, self._opened, self._held_for = used, opened, request
            return used

    def renew(self, used: ReadingSource, request: int) -> None:
        """Count what was opened before as opened for a newer request, if it still looks through."""
        with self.lock:
            if used is self.held:
                self._held_for = max(self._held_for, request)

    def release(self, used: ReadingSource | None = None) -> None:
        """Close what looks through the camera.

        Args:
            used: what is to close, unless something else looks through by now; None closes whichever does.
        """
        with self.lock:
            if used not in {None, self.held}:
                return
            opened, self._opened, self.held = self._opened, None, None
            if opened is not None:
                opened.__exit__(None, None, None)


_logger = logging.getLogger(__name__)

LINGER_S: Final = 3.0
"""Time for which it stays open when nobody looks any more: a page that is loaded anew is back by then."""

Opened = TypeVar("Opened", bound="ReadingSource")


class OpenWhileWatched(Generic[Opened]):
    """Use opened for the first watcher and closed after the last, on a thread of its own, since both take seconds.

    Args:
        make: makes it, to be opened with `with`; None where nothing is to open. An `InputError` becomes the problem.
        tell: is called when something was opened, or could not be.
    """

    def __init__(
        self,
        name: str,
        camera: ExclusiveCamera,
        make: Callable[[], AbstractContextManager[Opened] | None],
        tell: Callable[[], None],
    ) -> None:
        self._camera, self._make, self._tell = camera, make, tell
        self._worker = ActorThread(name)
        self._watching = 0
        self._came = Condition()
        self._asked = self._answered = 0
        self._opened: Opened | None = None
        self.problem: str | None = None
        """The reason why it could not be opened."""

    @property
    def opened(self) -> Opened | None:
        """Use that is open, and that nobody else has closed; None while there is none."""
        return self._opened if self._opened is self._camera.held else None

    @contextmanager
    def keep_open(self) -> Iterator[None]:
        """Keep it open as long as somebody looks."""
        with self._came:
            self._watching += 1
            self._came.notify_all()
        self.do(partial(self._open_if_closed, self._camera.request()))
        try:
            yield
        finally:
            with self._came:
                self._watching -= 1
            self.do(self._close_if_left)

    def open_again(self) -> None:
        """Close it, and open it as it should be by now."""
        self._asked = self._camera.request()
        self.do(self._open_as_asked)

    def open(self, request: int | None = None) -> Opened | None:
        """Open it now, in place of what looks through the camera, or give the one that is open.

        Args:
            request: number of the request for the camera; None requests it now.

        Raises:
            InputError: it cannot be opened.
        """
        with self._camera.lock:
            if self.opened is None:
                self._opened = self._camera.hold(self._make, self._camera.request() if request is None else request)
            return self._opened

    def close(self) -> None:
        """Close it, if it is open."""
        opened, self._opened = self._opened, None
        if opened is not None:
            self._camera.release(opened)

    def do(self, task: Callable[[], None]) -> None:
        """Have something else done on the thread, in its turn; a fault in it ends nothing but itself."""
        self._worker.submit(partial(_attempt, task))
        with self._came:
            if not self._worker.running:
                self._worker.start()

    def _open_if_closed(self, request: int) -> None:
        opened = self.opened
        if opened is None:
            self._open_anew(request)
        else:
            self._camera.renew(opened, request)

    def _open_as_asked(self) -> None:
        """Open it; of several requests the newest one counts."""
        asked = self._asked
        if asked > self._answered:
            self._open_anew(asked)

    def _open_anew(self, request: int) -> None:
        if not self._watching:
            return
        self._answered, self.problem = max(self._answered, request), None
        self.close()
        try:
            self.open(request)
        except InputError as error:
            self.problem = error.sentence
        self._tell()

    def _close_if_left(self) -> None:
        with self._came:
            if self._came.wait_for(lambda: self._watching > 0, LINGER_S):
                return
        self.close()


def _attempt(task: Callable[[], None]) -> None:
    try:
        task()
    except Exception:
        _logger.exception("a page cannot open what it watches")


OPENING: Final = Phrase("One moment: the camera is being opened.")


class _Followed(ReadingSource, Protocol):
    """Publisher of its states."""

    def listen(self, callback: Callable[[Any], None]) -> Callable[[], None]:
        """Call somebody with each new state; returns what ends that."""


Watched = TypeVar("Watched", bound=_Followed)


class PageUse(OpenWhileWatched[Watched]):
    """Use of the camera whose changes are told to pages.

    Args:
        make: makes it, to be opened with `with`. An `InputError` becomes the problem.
        shown: gives what pages show of it, without what comes with every frame.
        tell: is called when that differs, and when it was opened or could not be.
    """

    def __init__(
        self,
        name: str,
        camera: ExclusiveCamera,
        make: Callable[[], AbstractContextManager[Watched]],
        shown: Callable[[Watched], object],
        tell: Callable[[], None],
    ) -> None:
        super().__init__(name, camera, make, tell)
        self._shown = shown
        self._followed: Watched | None = None
        self._end_listening: Callable[[], None] = lambda: None
        self._told: object = None

    @property
    def was_closed(self) -> bool:
        """Tell if it was open, and somebody else has closed it."""
        return self._followed is not None and self.opened is None

    def require_open(self, refusal: Phrase) -> Watched:
        """Return what is open.

        Raises:
            InputError: nothing is; `refusal` is its sentence.
        """
        if self.opened is None:
            raise InputError(refusal)
        return self.opened

    def open_again(self) -> None:
        """Open it once more where it was closed, or could not be opened; one that is open stays."""
        if self.opened is None:
            self._followed = None
            self._tell()
            super().open_again()

    def open(self, request: int | None = None) -> Watched | None:
        """Open it now and follow it, or give the one that is open.

        Raises:
            InputError: it cannot be opened.
        """
        used = super().open(request)
        if used is not None and used is not self._followed:
            self._end_listening()
            self._followed, self._end_listening = used, used.listen(lambda _: self._follow(used))
        return used

    def close(self) -> None:
        """Close it, if it is open."""
        self._end_listening()
        self._followed = self._told = None
        super().close()

    def _follow(self, used: Watched) -> None:
        """Tell of a change that pages show."""
        shown = used, self._shown(used)
        if shown != self._told:
            self._told = shown
            self._tell()
