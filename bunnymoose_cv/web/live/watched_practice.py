"""The practice mirror that a page has open, and changes that its pages are told of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.live.watched_opening import WatchedOpening

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from bunnymoose_cv.session.practice.practice_mirror import Mirror, MirrorState
    from bunnymoose_cv.web.live.camera_use import CameraUse

_OPENING = Phrase("One moment: the camera is being opened.")
_CLOSED = Phrase("The mirror is closed.")


class WatchedPractice:
    """Opens the mirror for the first who looks; the camera rests after the last.

    Args:
        camera: it opens before.
        tell_change: tells the listeners when something else is asked for or counted.
    """

    def __init__(self, camera: CameraUse, tell_change: Callable[[], None]) -> None:
        self._camera = camera
        self._tell_change = tell_change
        self._opening: WatchedOpening[Mirror] = WatchedOpening(
            "practice page", self._open, self._close, lambda mirror: mirror is camera.mirror, tell_change
        )
        self._end_listening: Callable[[], None] = lambda: None
        self._followed: Mirror | None = None
        self._told: object = None

    @property
    def mirror(self) -> Mirror | None:
        """The mirror; None while the camera is being opened, or where it cannot be."""
        return self._opening.opened

    @property
    def problem(self) -> str:
        """The reason why nobody can practise, or what people should know; empty where all is well."""
        mirror = self.mirror
        if mirror is not None:
            return mirror.state.problem
        return self._opening.problem or (_OPENING if self._followed is None else _CLOSED)

    def watched(self) -> AbstractContextManager[None]:
        """Keep it open as long as somebody looks."""
        return self._opening.watched()

    def open_again(self) -> None:
        """Open it once more where it was closed, or could not be opened; one that is open stays."""
        if self.mirror is None:
            self._followed = None
            self._tell_change()
            self._opening.open_again()

    def _open(self) -> Mirror | None:
        self._camera.practise()
        mirror = self._camera.mirror
        if mirror is not None:
            self._followed, self._end_listening = mirror, mirror.listen(self._follow)
        return mirror

    def _close(self, mirror: Mirror) -> None:
        self._end_listening()
        self._followed = None
        if mirror is self._camera.mirror:
            self._camera.stop_practising()

    def _follow(self, state: MirrorState) -> None:
        """Tell of each change but those that come with every frame."""
        practice, lesson = state.practice, state.practice.lesson
        counted = (lesson.number, lesson.done, lesson.tallies, practice.consent, practice.kept)
        shown = (self._followed, counted, state.problem, state.over)
        if shown != self._told:
            self._told = shown
            self._tell_change()
