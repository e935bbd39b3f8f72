"""The check of the table that a page has open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.web.live.watched_opening import WatchedOpening

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from bunnymoose_cv.session.table_checker import TableChecker
    from bunnymoose_cv.web.live.camera_use import CameraUse


class WatchedCheck:
    """Opens the check for the first who looks; the camera rests after the last.

    Args:
        camera: it opens before.
        tell_change: tells the listeners of each change of the check.
    """

    def __init__(self, camera: CameraUse, tell_change: Callable[[], None]) -> None:
        self._camera = camera
        self._tell_change = tell_change
        self._opening: WatchedOpening[TableChecker] = WatchedOpening(
            "check page", self._open, self._close, lambda checker: checker is camera.checker, tell_change
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
        checker = self._camera.check()
        self._end_listening = checker.listen(lambda _: self._tell_change())
        return checker

    def _close(self, checker: TableChecker) -> None:
        self._end_listening()
        if checker is self._camera.checker:
            self._camera.stop_checking()
