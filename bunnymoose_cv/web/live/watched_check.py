"""The check of the table that a page has open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bunnymoose_cv.web.live.watched_opening import WatchedOpening

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from bunnymoose_cv.session.table_checker import TableChecker


class CheckHost(Protocol):
    """The host, as far as a check needs it."""

    @property
    def checker(self) -> TableChecker | None:
        """The check, while it is open."""

    def check_table(self) -> TableChecker:
        """Open the check, or give the one that is open."""

    def stop_checking(self) -> None:
        """Close it."""

    def tell_change(self) -> None:
        """Tell the listeners that something else is to be seen."""


class WatchedCheck:
    """Opens the check for the first who looks; the camera rests after the last.

    Args:
        host: whose table it is. Its listeners are told of each change of the check.
    """

    def __init__(self, host: CheckHost) -> None:
        self._host = host
        self._opening: WatchedOpening[TableChecker] = WatchedOpening(
            "check page", self._open, self._close, lambda checker: checker is host.checker, host.tell_change
        )
        self._end_listening: Callable[[], None] = lambda: None

    @property
    def checker(self) -> TableChecker | None:
        """The check; None while the camera is being opened, or where it cannot be."""
        return self._opening.opened

    @property
    def problem(self) -> str | None:
        """The reason why nothing can be checked."""
        return self._opening.problem

    def watched(self) -> AbstractContextManager[None]:
        """Keep it open as long as somebody looks."""
        return self._opening.watched()

    def _open(self) -> TableChecker:
        checker = self._host.check_table()
        self._end_listening = checker.listen(lambda _: self._host.tell_change())
        return checker

    def _close(self, checker: TableChecker) -> None:
        self._end_listening()
        if checker is self._host.checker:
            self._host.stop_checking()
