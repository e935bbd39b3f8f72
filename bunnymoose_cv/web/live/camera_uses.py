"""Uses of the chosen camera before a game: the preview of the set-up, the practice, the warm-up and the check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.live.open_while_watched import ExclusiveCamera, OpenWhileWatched, PageUse

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from bunnymoose_cv.session.practice.practice_session import PracticeSession
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_checker import TableChecker
    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide
    from bunnymoose_cv.web.live.open_while_watched import ReadingSource
    from bunnymoose_cv.web.live.session_factory import SessionFactory
    from bunnymoose_cv.web.live.setup_choices import Choices


class CameraUses:
    """Uses of the chosen camera, one at a time; a game that begins takes the camera over.

    Args:
        factory: opens each of them; None opens nothing.
        lock: held while one is opened or closed, and while a game is; it may be taken twice.
        choices: returns what people have chosen.
        game: returns the game that is played; None while there is none.
        tell: is called when pages show something else of one.

    Attributes:
        preview: the table while a game is set up.
        practice: the practice of one player.
        warm_up: the warm-up of the players.
        check: the check of the table; it may be opened in a game, too.
    """

    def __init__(
        self,
        factory: SessionFactory | None,
        lock: AbstractContextManager[object],
        choices: Callable[[], Choices],
        game: Callable[[], Session | None],
        tell: Callable[[], None],
    ) -> None:
        self._factory, self._choices, self._game = factory, choices, game
        self._camera = camera = ExclusiveCamera(lock)
        self.preview: OpenWhileWatched[ReadingSource] = OpenWhileWatched("set-up", camera, self._make_preview, tell)
        self.practice = PageUse("practice page", camera, self._make_practice, _shown_of_practice, tell)
        self.warm_up = PageUse("warm-up page", camera, self._make_warm_up, _shown_of_warm_up, tell)
        self.check = PageUse("check page", camera, self._make_check, lambda checker: checker.state, tell)

    @property
    def reading_source(self) -> ReadingSource | None:
        """Whatever looks through the camera."""
        return self._camera.held

    def release(self) -> None:
        """Close whatever looks through the camera."""
        self._camera.release()

    def _make_preview(self) -> AbstractContextManager[ReadingSource] | None:
        """Make a preview; None while a game runs, or without a camera."""
        if self._game() is not None or self._factory is None or self._choices().camera is None:
            return None
        return self._factory.preview(self._choices())

    def _make_practice(self) -> AbstractContextManager[PracticeSession]:
        if self._game() is not None:
            raise InputError(Phrase("A game is being played: practise before it or after it."))
        if self._factory is None or self._choices().camera is None:
            raise InputError(Phrase("Practice needs a camera: choose one on the page “New game”."))
        return self._factory.practice(self._choices())

    def _make_warm_up(self) -> AbstractContextManager[WarmUpGuide]:
        if self._game() is not None:
            raise InputError(Phrase("A game is being played: warm up before it or after it."))
        if self._factory is None or self._choices().camera is None:
            raise InputError(Phrase("The warm-up needs a camera: choose one on the page “New game”."))
        return self._factory.warm_up(self._choices())

    def _make_check(self) -> AbstractContextManager[TableChecker]:
        game = self._game()
        if self._factory is None or (game is None and self._choices().camera is None):
            raise InputError(Phrase("The check needs a camera: choose one on the page “New game”."))
        return self._factory.check(self._choices(), game)


def _shown_of_practice(session: PracticeSession) -> object:
    """Task, counts, consent and problem of a practice, without what comes with every frame."""
    state, practice = session.state, session.state.practice
    lesson = practice.lesson
    counted = (lesson.number, lesson.done, lesson.tallies, practice.consent, practice.kept)
    return counted, state.problem, state.over


def _shown_of_warm_up(guide: WarmUpGuide) -> object:
    """Phase, people and step of a warm-up, without what comes with every frame."""
    view = guide.state
    step = None if view.round is None else (view.round.number, view.round.again, view.round.step)
    return view.phase, view.row, view.asked, dict(view.exempt), dict(view.understood), view.problem, step
