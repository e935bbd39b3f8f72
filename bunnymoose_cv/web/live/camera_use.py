"""The one use of the chosen camera while no game is played: a preview, the practice, the warm-up or the check."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from bunnymoose_cv.session.practice.practice_mirror import Mirror
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_checker import TableChecker
    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide
    from bunnymoose_cv.web.live.openings import Openings
    from bunnymoose_cv.web.live.reading_source import ReadingSource
    from bunnymoose_cv.web.live.setup_choices import Choices

Used = TypeVar("Used", bound="ReadingSource")


class CameraUse:
    """Exclusive use of the chosen camera, one at a time; a game that begins takes the camera over.

    Opening and closing take seconds.

    Args:
        openings: open each of them.
        lock: held while one is opened or closed, and while a game is; it may be taken twice.
        choices: returns what people have chosen.
        game: returns the game that is played; None while there is none.

    Attributes:
        reading_source: whatever looks through the camera.
        mirror: the practice, while somebody practises.
        guide: the warm-up, while people warm up.
        checker: the check of the table, while somebody looks at it; it goes on in a game.
    """

    def __init__(
        self,
        openings: Openings,
        lock: AbstractContextManager[object],
        choices: Callable[[], Choices],
        game: Callable[[], Session | None],
    ) -> None:
        self._openings = openings
        self._lock = lock
        self._choices = choices
        self._game = game
        self.reading_source: ReadingSource | None = None
        self.mirror: Mirror | None = None
        self.guide: WarmUpGuide | None = None
        self.checker: TableChecker | None = None
        self._opened: AbstractContextManager[ReadingSource] | None = None
        self._checked: AbstractContextManager[TableChecker] | None = None

    def look(self) -> ReadingSource | None:
        """Open the preview of the chosen camera, in place of what looks through it; nothing while a game runs.

        Raises:
            InputError: the camera cannot be opened, or nobody could play so.
        """
        with self._lock:
            self.release()
            if self._game() is None and self._openings.preview is not None:
                self._look_through(self._openings.preview)
            return self.reading_source

    def look_away(self, reading_source: ReadingSource | None = None) -> None:
        """Close the preview; a practice, a check or a warm-up goes on.

        Args:
            reading_source: the preview that is to close, unless another one is open by now; None closes whichever is.
        """
        with self._lock:
            held = self.mirror or self.checker or self.guide
            if held is None and reading_source in {None, self.reading_source}:
                self.release()

    def practise(self) -> Mirror:
        """Open the practice mirror, or give the one that is open.

        Raises:
            InputError: a game is being played, there is no camera, or it cannot be opened.
        """
        with self._lock:
            if self.mirror is None:
                if self._game() is not None:
                    raise InputError(Phrase("A game is being played: practise before it or after it."))
                if self._openings.practice is None or self._choices().camera is None:
                    raise InputError(Phrase("Practice needs a camera: choose one on the page “New game”."))
                self.mirror = self._look_through(self._openings.practice)
            return self.mirror

    def stop_practising(self) -> None:
        """Close the practice mirror, if it is open."""
        with self._lock:
            if self.mirror is not None:
                self.release()

    def warm_up(self) -> WarmUpGuide:
        """Open the warm-up, or give the one that is open.

        Raises:
            InputError: a game is being played, there is no camera, or it cannot be opened.
        """
        with self._lock:
            if self.guide is None:
                if self._game() is not None:
                    raise InputError(Phrase("A game is being played: warm up before it or after it."))
                if self._openings.warm_up is None or self._choices().camera is None:
                    raise InputError(Phrase("The warm-up needs a camera: choose one on the page “New game”."))
                self.guide = self._look_through(self._openings.warm_up)
            return self.guide

    def stop_warming_up(self) -> None:
        """Close the warm-up, if it is open."""
        with self._lock:
            if self.guide is not None:
                self.release()

    def check(self) -> TableChecker:
        """Open the check of the table, or give the one that is open; a game that is played goes on.

        Raises:
            InputError: there is no camera, or it cannot be opened.
        """
        with self._lock:
            if self.checker is None:
                game = self._game()
                if self._openings.check is None or (game is None and self._choices().camera is None):
                    raise InputError(Phrase("The check needs a camera: choose one on the page “New game”."))
                if game is None:
                    self.release()
                opened = self._openings.check(self._choices(), game)
                self.checker, self._checked = opened.__enter__(), opened
                if game is None:
                    self.reading_source = self.checker
            return self.checker

    def stop_checking(self) -> None:
        """Close the check of the table, if it is open."""
        with self._lock:
            checked, self._checked = self._checked, None
            if self.reading_source is self.checker:
                self.reading_source = None
            self.checker = None
            if checked is not None:
                checked.__exit__(None, None, None)

    def release(self) -> None:
        """Close whatever looks through the camera."""
        with self._lock:
            self.stop_checking()
            opened, self._opened = self._opened, None
            self.reading_source = self.mirror = self.guide = None
            if opened is not None:
                opened.__exit__(None, None, None)

    def _look_through(self, opens: Callable[[Choices], AbstractContextManager[Used]]) -> Used:
        """Open something before the chosen camera, in place of what looks through it."""
        self.release()
        opened = opens(self._choices())
        used = opened.__enter__()
        self.reading_source, self._opened = used, opened
        return used
