"""Session as pages may use it: they look at it, and command nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_state import LatestReading, TableState


class SessionView(Protocol):
    """Part of a session without commands; those are given in web/commands alone, where each declares its permission."""

    @property
    def state(self) -> TableState:
        """The current state of the table."""

    @property
    def latest_reading(self) -> LatestReading | None:
        """The newest look at the waiting table."""

    @property
    def texts(self) -> Texts:
        """In the language of the game."""

    def listen(self, callback: Callable[[TableState], None]) -> Callable[[], None]:
        """Call somebody with each new state, on the session's thread; returns what ends that."""
