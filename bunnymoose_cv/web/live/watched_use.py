"""Use of the camera that lasts as long as a page watches it: the check, the warm-up, the practice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from bunnymoose_cv.web.live.watched_opening import WatchedOpening

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager


class _Followed(Protocol):
    """Publisher of its states."""

    def listen(self, callback: Callable[[Any], None]) -> Callable[[], None]:
        """Call somebody with each new state; returns what ends that."""


Used = TypeVar("Used", bound=_Followed)


class WatchedUse(Generic[Used]):
    """Use of the camera opened for the first page that watches it, and closed after the last.

    Args:
        name: of the thread that opens and closes.
        opens: opens it. An `InputError` becomes the problem.
        current: gives the one that is open, whoever has opened it.
        closes: closes it.
        shown: gives what pages show of it, without what comes with every frame.
        tell: is called when that differs, and when it was opened or could not be.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what differs from one use to the next
        self,
        name: str,
        opens: Callable[[], Used],
        current: Callable[[], Used | None],
        closes: Callable[[], None],
        shown: Callable[[Used], object],
        tell: Callable[[], None],
    ) -> None:
        self._opens, self._current, self._closes = opens, current, closes
        self._shown, self._tell = shown, tell
        self._opening: WatchedOpening[Used] = WatchedOpening(
            name, self._open, self._close, lambda used: used is current(), tell
        )
        self._followed: Used | None = None
        self._end_listening: Callable[[], None] = lambda: None
        self._told: object = None

    @property
    def opened(self) -> Used | None:
        """Open use; None while the camera is being opened, or where it cannot be."""
        return self._opening.opened

    @property
    def problem(self) -> str | None:
        """The reason why it could not be opened."""
        return self._opening.problem

    @property
    def was_closed(self) -> bool:
        """Tell if it was open, and somebody else has closed it."""
        return self._followed is not None and self.opened is None

    def watched(self) -> AbstractContextManager[None]:
        """Keep it open as long as somebody looks."""
        return self._opening.watched()

    def open_again(self) -> None:
        """Open it once more where it was closed, or could not be opened; one that is open stays."""
        if self.opened is None:
            self._followed = None
            self._tell()
            self._opening.open_again()

    def _open(self) -> Used:
        used = self._opens()
        self._followed, self._end_listening = used, used.listen(lambda _: self._follow(used))
        return used

    def _close(self, used: Used) -> None:
        self._end_listening()
        self._followed = self._told = None
        if used is self._current():
            self._closes()

    def _follow(self, used: Used) -> None:
        """Tell of a change that pages show."""
        shown = used, self._shown(used)
        if shown != self._told:
            self._told = shown
            self._tell()
