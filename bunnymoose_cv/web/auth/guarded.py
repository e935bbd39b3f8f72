"""The session as pages get it: whoever wants something is asked who they are, whatever the page let them press.

A button that is hidden or greyed in a browser can still be pressed by a program, so no page has to think of it: what
is wanted here is done only for a visitor who may want it.
"""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.auth.access import AccessError, Action

if TYPE_CHECKING:
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.web.auth.access import Visitor

_TO_SEE: Final = frozenset(
    {"state", "latest_reading", "texts", "language", "listen", "listen_to_lines", "newest", "running"}
)
_WANTED: Final = {
    "bet": Action.BET,
    "lay": Action.LAY,
    "see_cards": Action.LAY,
    "settle_card": Action.LAY,
    "undo": Action.UNDO,
    "dismiss": Action.DISMISS,
    "bam": Action.BAM,
    "deal": Action.DEAL,
    "rest": Action.DEAL,
    "pause": Action.PAUSE,
    "say": Action.PAUSE,
    "answer": Action.PUT_RIGHT,
    "put_right": Action.PUT_RIGHT,
    "correct_table": Action.CORRECT_TABLE,
    "correct_bet": Action.CORRECT_TABLE,
}
"""Session commands and the permission that each needs; no other can be called from a page."""


def guarded(session: Session, visitor: Visitor | None = None) -> Session:
    """The same session, which asks first.

    Args:
        session: to stand before.
        visitor: who wants something; without one it can be looked at alone.
    """
    return cast("Session", _Guarded(session, visitor))


class _Guarded:
    """Stands before a session."""

    def __init__(self, session: Session, visitor: Visitor | None) -> None:
        self._session, self._visitor = session, visitor

    def __getattr__(self, name: str) -> Any:
        if name in _TO_SEE:
            return getattr(self._session, name)
        if name in _WANTED:
            return partial(self._want, name)
        raise AttributeError(name)

    def _want(self, name: str, *given: Any, **named: Any) -> Future[Any]:
        about = (*given, named.get("player"))[0] if _WANTED[name] is Action.PUT_RIGHT else None
        if self._visitor is None or not self._visitor.may(_WANTED[name], about):
            refused: Future[Any] = Future()
            refused.set_exception(AccessError(Phrase("That is not for this phone to do just now.")))
            return refused
        wanted: Future[Any] = getattr(self._session, name)(*given, **named)
        return wanted
