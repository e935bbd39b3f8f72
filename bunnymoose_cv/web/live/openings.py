"""Openings: the functions by which a host opens games and looks through the camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from datetime import datetime

    from bunnymoose_cv.session.practice.practice_session import PracticeSession
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_checker import TableChecker
    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide
    from bunnymoose_cv.web.live.exclusive_camera import ReadingSource
    from bunnymoose_cv.web.live.setup_choices import Choices


@dataclass(frozen=True, slots=True)
class Openings:
    """Functions by which a host opens things with people's choices; None where nothing can be opened.

    Attributes:
        session: a new game.
        go_on: the game that was left.
        left: the choices of the newest game since a time that was left before its end; None where there is none.
        last_table: the choices with the table that was used last; None where there is none.
        preview: the chosen camera, before a game.
        practice: the practice before the chosen camera.
        warm_up: the warm-up before the chosen camera.
        check: the check of the table before the chosen camera, or before that of the game that is played.
    """

    session: Callable[[Choices], AbstractContextManager[Session]] | None = None
    go_on: Callable[[Choices], AbstractContextManager[Session]] | None = None
    left: Callable[[Choices, datetime], Choices | None] | None = None
    last_table: Callable[[Choices], Choices | None] | None = None
    preview: Callable[[Choices], AbstractContextManager[ReadingSource]] | None = None
    practice: Callable[[Choices], AbstractContextManager[PracticeSession]] | None = None
    warm_up: Callable[[Choices], AbstractContextManager[WarmUpGuide]] | None = None
    check: Callable[[Choices, Session | None], AbstractContextManager[TableChecker]] | None = None


NO_OPENINGS: Final = Openings()
"""Of a host that shows stored games alone."""
