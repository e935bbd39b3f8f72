"""Opening that lasts as long as a page watches: a camera before a game, a warm-up, a practice."""

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

_logger = logging.getLogger(__name__)

LINGER_S: Final = 3.0
"""Time for which it stays open when nobody looks any more: a page that is loaded anew is back by then."""

Opened = TypeVar("Opened")


class WatchedOpening(Generic[Opened]):
    """Resource opened for the first watcher and closed after the last, on a thread of its own, since both take seconds.

    Args:
        name: of the thread.
        opens: opens it; None where there is nothing to open. An `InputError` becomes the problem.
        closes: closes it.
        is_open: tells if it is open still, and nobody else has closed it.
        tell: is called when something was opened, or could not be.
    """

    def __init__(
        self,
        name: str,
        opens: Callable[[], Opened | None],
        closes: Callable[[Opened], None],
        is_open: Callable[[Opened], bool],
        tell: Callable[[], None],
    ) -> None:
        self._opens, self._closes, self._is_open, self._tell = opens, closes, is_open, tell
        self._worker = ActorThread(name)
        self._watching = 0
        self._came = Condition()
        self._asked = self._answered = 0
        self._opened: Opened | None = None
        self.problem: str | None = None
        """The reason why it could not be opened."""

    @property
    def opened(self) -> Opened | None:
        """Opened resource; None while it is closed."""
        opened = self._opened
        return opened if opened is not None and self._is_open(opened) else None

    @contextmanager
    def watched(self) -> Iterator[None]:
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
        self.do(self._open)

    def do(self, task: Callable[[], None]) -> None:
        """Have something else done on the thread, in its turn; a fault in it ends nothing but itself."""
        self._worker.submit(partial(_attempt, task))
        with self._came:
            if not self._worker.running:
                self._worker.start()

    def _open_if_closed(self) -> None:
        if self.opened is None:
            self._asked += 1
            self._open()

    def _open(self) -> None:
        """Open it; of several requests the newest one counts."""
        if self._asked == self._answered or not self._watching:
            return
        self._answered, self.problem = self._asked, None
        self._close()
        try:
            self._opened = self._opens()
        except InputError as error:
            self.problem = error.sentence
        self._tell()

    def _close_if_left(self) -> None:
        with self._came:
            if self._came.wait_for(lambda: self._watching > 0, LINGER_S):
                return
        self._close()

    def _close(self) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            self._closes(opened)


def _attempt(task: Callable[[], None]) -> None:
    try:
        task()
    except Exception:
        _logger.exception("a page cannot open what it watches")
