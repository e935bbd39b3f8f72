"""One opening of a source, and the thread that takes from it until it is lost."""

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
"""Timeout of joining the thread; one that hangs in a camera's driver is left behind and lets go when it wakes."""


class Connection:
    """A source that is being taken from.

    Attributes:
        again: what opens it again, once it is open.
        live: whether it can be lost, likewise.
        is_renewed: whether the latest image is new by its stamp, likewise.
        news: whether it has shown something that was not seen before.
        problem: why nothing more comes.
    """

    def __init__(
        self,
        open_source: Callable[[], LiveSource],
        take: Callable[[Connection, Taken], None],
        changed: threading.Condition,
        lost_after_s: float,
        title: str = "",
    ) -> None:
        """Prepare the connection without opening it.

        Args:
            open_source: opens the source, on the thread of the connection: it may hang.
            take: gets everything that comes, on that thread; an `InputError` out of it ends the connection.
            changed: is notified when nothing more comes.
            lost_after_s: after so many seconds without a frame a live source is silent.
            title: how messages call the source until it is open.
        """
        self.title, self.again = title, ""
        self.live = True
        self.is_renewed = False
        self.news = False
        self.problem: InputError | None = None
        self._open, self._take, self._changed, self._lost_after_s = open_source, take, changed, lost_after_s
        self._began_s = time.monotonic()
        self._first_s: float | None = None
        self._latest_s = self._began_s
        self._came_s = self._began_s
        self._stopped = threading.Event()
        # No actor thread: nobody commands it, and a driver may hold it within one call for ever.
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)

    def __enter__(self) -> Self:
        """Begin to take."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take no more."""
        self._stopped.set()
        self._thread.join(_LEAVING_S)

    @property
    def hangs(self) -> bool:
        """Tell if a driver holds its thread still, once nothing more is taken."""
        return self._thread.is_alive()

    @property
    def age_s(self) -> float:
        """Seconds for which frames have been coming, on their own clock."""
        return 0.0 if self._first_s is None else self._latest_s - self._first_s

    @property
    def is_over(self) -> bool:
        """Tell if nothing more will come: it has ended, failed, or said nothing for so long that it must be lost."""
        patience_s = self.patience_s()
        return self.problem is not None or (patience_s is not None and patience_s <= 0)

    def patience_s(self) -> float | None:
        """For how many more seconds silence means nothing; None for files, which are never lost."""
        if not self.live:
            return None
        limit_s = OPENING_S if self._first_s is None else self._lost_after_s
        return max(0.0, self._came_s + limit_s - time.monotonic())

    def came(self, time_s: float, *, news: bool) -> None:
        """Note that a frame came; called by whoever takes it."""
        if self._first_s is None:
            self._first_s = time_s
        self._latest_s, self._came_s = time_s, time.monotonic()
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
        except Exception:  # whatever a driver or a decoder raises, the watcher has to hear of it
            _logger.exception("the source broke")
            self._end(SourceLostError(Phrase("{camera} gives no more pictures", camera=self.title)))

    def _end(self, problem: InputError) -> None:
        with self._changed:
            self.problem = problem
            self._changed.notify_all()
