"""Use of the camera that pages watch and follow: the check, the warm-up, the practice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.live.exclusive_camera import ReadingSource
from bunnymoose_cv.web.live.open_while_watched import OpenWhileWatched

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from bunnymoose_cv.web.live.exclusive_camera import ExclusiveCamera

OPENING: Final = Phrase("One moment: the camera is being opened.")


class _Followed(ReadingSource, Protocol):
    """Publisher of its states."""

    def listen(self, callback: Callable[[Any], None]) -> Callable[[], None]:
        """Call somebody with each new state; returns what ends that."""


Used = TypeVar("Used", bound=_Followed)


class PageUse(OpenWhileWatched[Used]):
    """Use of the camera whose changes are told to pages.

    Args:
        make: makes it, to be opened with `with`. An `InputError` becomes the problem.
        shown: gives what pages show of it, without what comes with every frame.
        tell: is called when that differs, and when it was opened or could not be.
    """

    def __init__(
        self,
        name: str,
        camera: ExclusiveCamera,
        make: Callable[[], AbstractContextManager[Used]],
        shown: Callable[[Used], object],
        tell: Callable[[], None],
    ) -> None:
        super().__init__(name, camera, make, tell)
        self._shown = shown
        self._followed: Used | None = None
        self._end_listening: Callable[[], None] = lambda: None
        self._told: object = None

    @property
    def was_closed(self) -> bool:
        """Tell if it was open, and somebody else has closed it."""
        return self._followed is not None and self.opened is None

    def require_open(self, refusal: Phrase) -> Used:
        """Return what is open.

        Raises:
            InputError: nothing is; `refusal` is its sentence.
        """
        if self.opened is None:
            raise InputError(refusal)
        return self.opened

    def open_again(self) -> None:
        """Open it once more where it was closed, or could not be opened; one that is open stays."""
        if self.opened is None:
            self._followed = None
            self._tell()
            super().open_again()

    def open(self) -> Used | None:
        """Open it now and follow it, or give the one that is open.

        Raises:
            InputError: it cannot be opened.
        """
        used = super().open()
        if used is not None and used is not self._followed:
            self._end_listening()
            self._followed, self._end_listening = used, used.listen(lambda _: self._follow(used))
        return used

    def close(self) -> None:
        """Close it, if it is open."""
        self._end_listening()
        self._followed = self._told = None
        super().close()

    def _follow(self, used: Used) -> None:
        """Tell of a change that pages show."""
        shown = used, self._shown(used)
        if shown != self._told:
            self._told = shown
            self._tell()
