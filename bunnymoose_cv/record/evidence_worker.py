"""Worker of the evidence: jobs in their order, none while it is quiet, and no failure in the way of the game."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

_logger = logging.getLogger(__name__)

Job: TypeAlias = Callable[[], object]


class EvidenceWorker:
    """Thread that does jobs one after the other.

    What a job cannot keep is given up with one sentence. A fault of ours is raised by `finish`; the other jobs go on.

    Args:
        tell: takes the sentences; called from the thread too.

    Attributes:
        may_work: set unless it is quiet.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._fault: Exception | None = None
        self._thread = ActorThread("evidence")
        self.may_work = Event()
        self.may_work.set()
        self._thread.start()

    def attempt(self, job: Job) -> None:
        """Do a job now, on the thread of the caller."""
        try:
            job()
        except InputError as error:
            _logger.warning("evidence is not kept", exc_info=True)
            self._tell(error.sentence)
        except Exception as error:  # raised again by `finish`
            _logger.exception("evidence is not kept")
            self._fault = error

    def do_later(self, job: Job) -> None:
        """Have a job done after those before it, once it is not quiet."""

        def do() -> None:
            self.may_work.wait()
            self.attempt(job)

        self._thread.submit(do)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Begin no job for a while; one that is under way asks `may_work` itself."""
        self.may_work.clear()
        try:
            yield
        finally:
            self.may_work.set()

    def finish(self) -> None:
        """End after all jobs.

        Raises:
            Exception: a fault of ours.
        """
        self._thread.finish()
        if self._fault is not None:
            raise self._fault
