"""Exclusive use of the chosen camera by one source of readings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
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

    Args:
        lock: held while something is opened or closed, and while a game is; it may be taken twice.

    Attributes:
        held: whatever looks through the camera.
    """

    def __init__(self, lock: AbstractContextManager[object]) -> None:
        self.lock = lock
        self.held: ReadingSource | None = None
        self._opened: AbstractContextManager[ReadingSource] | None = None

    def hold(self, make: Callable[[], AbstractContextManager[Used] | None]) -> Used | None:
        """Open something before the camera, in place of what looks through it.

        Args:
            make: makes it; None where nothing is to open. Then, and where it raises, what looks through stays.

        Raises:
            InputError: it cannot be opened.
        """
        with self.lock:
            opened = make()
            if opened is None:
                return None
            self.release()
            used = opened.__enter__()
            self.held, self._opened = used, opened
            return used

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
