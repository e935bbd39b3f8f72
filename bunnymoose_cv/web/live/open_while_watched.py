"""Use of the camera that is open as long as a page watches it."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from functools import partial
from threading import Condition
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from bunnymoose_cv.web.live.exclusive_camera import ExclusiveCamera, ReadingSource

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
        self.do(self._open_if_closed)
        try:
            yield
        finally:
            with self._came:
                self._watching -= 1
            self.do(self._close_if_left)

    def open_again(self) -> None:
        """Close it, and open it as it should be by now."""
        self._asked += 1
        self.do(self._open_as_asked)

    def open(self) -> Opened | None:
        """Open it now, in place of what looks through the camera, or give the one that is open.

        Raises:
            InputError: it cannot be opened.
        """
        with self._camera.lock:
            if self.opened is None:
                self._opened = self._camera.hold(self._make)
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

    def _open_if_closed(self) -> None:
        if self.opened is None:
            self._asked += 1
            self._open_as_asked()

    def _open_as_asked(self) -> None:
        """Open it; of several requests the newest one counts."""
        if self._asked == self._answered or not self._watching:
            return
        self._answered, self.problem = self._asked, None
        self.close()
        try:
            self.open()
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
