"""The warm-up that a page has open: its guide, and what its pages are told of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.web.live.watched_opening import WatchedOpening

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide, WarmUpView
    from bunnymoose_cv.web.live.camera_use import CameraUse


class WatchedWarmUp:
    """Opens the warm-up for the first who looks; the camera rests after the last.

    Args:
        camera: it opens before.
        tell_change: tells the listeners when something else is asked for or known.
    """

    def __init__(self, camera: CameraUse, tell_change: Callable[[], None]) -> None:
        self._camera = camera
        self._tell_change = tell_change
        self._opening: WatchedOpening[WarmUpGuide] = WatchedOpening(
            "warm-up page", self._open, self._close, lambda guide: guide is camera.guide, tell_change
        )
        self._end_listening: Callable[[], None] = lambda: None
        self._told: object = None

    @property
    def guide(self) -> WarmUpGuide | None:
        """The guide; None while the camera is being opened, or where it cannot be."""
        return self._opening.opened

    @property
    def problem(self) -> str | None:
        """The reason why nobody can warm up."""
        return self._opening.problem

    def watched(self) -> AbstractContextManager[None]:
        """Keep it open as long as somebody looks."""
        return self._opening.watched()

    def _open(self) -> WarmUpGuide:
        guide = self._camera.warm_up()
        self._end_listening = guide.listen(self._follow)
        return guide

    def _close(self, guide: WarmUpGuide) -> None:
        self._end_listening()
        if guide is self._camera.guide:
            self._camera.stop_warming_up()

    def _follow(self, view: WarmUpView) -> None:
        """Tell of each change but those that come with every frame."""
        step = None if view.round is None else (view.round.number, view.round.again, view.round.step)
        shown = (view.phase, view.row, view.asked, dict(view.exempt), dict(view.understood), view.problem, step)
        if shown != self._told:
            self._told = shown
            self._tell_change()
