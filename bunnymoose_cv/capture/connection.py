"""One connection to a source, and the thread that reads from it until it is lost."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.capture.frame import SourceLostError
from bunnymoose_cv.capture.stream import OPENING_S
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.live_source import LiveSource, Taken

_logger = logging.getLogger(__name__)

_LEAVING_S: Final = 1.0
"""Timeout of joining the thread. One that hangs in a camera's driver is abandoned, and closes when it wakes."""


class Connection:
    """A source that is being read. The attributes that it shares with `LiveSource` are set once it is open.

    Attributes:
        news: True once it has shown an image that is not a repetition.
        problem: the error that ended it, or None.
    """

    def __init__(
        self,
        open_source: Callable[[], LiveSource],
        take: Callable[[Connection, Taken], None],
        changed: threading.Condition,
        lost_after_s: float,
        title: str,
    ) -> None:
        """Prepare the connection without opening it.

        Args:
            open_source: factory of the source, called on the thread of the connection, since opening may hang.
            take: callback for each item, on that thread. If it raises an `InputError`, the connection ends.
            changed: condition that is notified when the source has ended.
            lost_after_s: seconds without a frame after which a live source counts as silent.
        """
        self.title, self.again = title, ""
        self.live, self.is_renewed, self.news = True, False, False
        self.problem: InputError | None = None
        self._open, self._take, self._changed, self._lost_after_s = open_source, take, changed, lost_after_s
        self._first_s: float | None = None
        self._latest_s = self._arrival_s = time.monotonic()
        self._stopped = threading.Event()
        # No actor thread: it gets no commands, and a driver may block it within one call for ever.
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join(_LEAVING_S)

    @property
    def hangs(self) -> bool:
        """Return whether a driver still blocks the thread after it was stopped."""
        return self._thread.is_alive()

    @property
    def age_s(self) -> float:
        """Seconds for which frames have been coming, on their own clock."""
        return 0.0 if self._first_s is None else self._latest_s - self._first_s

    @property
    def is_over(self) -> bool:
        """Return whether nothing more will come: the source has ended, failed, or been silent until its timeout."""
        return self.problem is not None or self.patience_s() == 0

    def patience_s(self) -> float | None:
        """Return the seconds left until the timeout for silence, or None for files, which are never lost."""
        if not self.live:
            return None
        limit_s = OPENING_S if self._first_s is None else self._lost_after_s
        return max(0.0, self._arrival_s + limit_s - time.monotonic())

    def note_frame(self, time_s: float, *, news: bool) -> None:
        """Record that a frame has arrived. Called by the thread that reads."""
        if self._first_s is None:
            self._first_s = time_s
        self._latest_s, self._arrival_s = time_s, time.monotonic()
        self.news = self.news or news

    def _run(self) -> None:
        try:
            with self._open() as source:
                self.title, self.again, self.live = source.title, source.again, source.live
                while not self._stopped.is_set():
                    taken = source.take()
                    self.is_renewed = source.is_renewed
                    self._take(self, taken)
        except InputError as error:
            _logger.info("the source ended", exc_info=True)
            self._end(error)
        except Exception:  # the watcher must learn of any error of a driver or decoder
            _logger.exception("the source broke")
            self._end(SourceLostError(Phrase("{camera} has stopped sending pictures", camera=self.title)))

    def _end(self, problem: InputError) -> None:
        with self._changed:
            self.problem = problem
            self._changed.notify_all()
