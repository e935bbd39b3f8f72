"""Updates of pages that NiceGUI makes: changes of the table are shown, on the server's loop, until the page is left.

Only the newest state is shown where several came at once.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from nicegui import context, core

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.server.host import Host

_logger = logging.getLogger(__name__)


def follow(host: Host, show: Callable[[TableState], None]) -> None:
    """Show the state of the table now and after each change, as long as the page is open.

    Call it while the page is built. `show` runs in the page's content; while no game runs it is not called.

    Args:
        host: whose session, also the next one.
        show: refreshes what changed.
    """
    _Following(host, show).begin()


class _Following:
    """One page that follows."""

    def __init__(self, host: Host, show: Callable[[TableState], None]) -> None:
        self._host = host
        self._show = show
        self._client = context.client
        self._loop = asyncio.get_running_loop()
        self._session: Session | None = None
        self._stop: Callable[[], None] | None = None
        self._shown: tuple[Session, int] | None = None

    def begin(self) -> None:
        stop_waiting = self._host.listen(lambda: self._soon(self._follow_sitting))
        self._client.on_delete(stop_waiting)
        self._client.on_delete(self._unfollow)
        self._follow_sitting()

    def _follow_sitting(self) -> None:
        if self._client.is_deleted:
            return
        self._unfollow()
        self._session = self._host.session
        if self._session is not None:
            self._stop = self._session.listen(lambda _: self._soon(self._show_newest))
            self._show_newest()

    def _unfollow(self) -> None:
        stop, self._stop = self._stop, None
        if stop is not None:
            stop()

    def _show_newest(self) -> None:
        session = self._session
        if session is None or self._client.is_deleted:
            return
        state = session.state
        if self._shown == (session, state.version):
            return
        self._shown = (session, state.version)
        try:
            with self._client:
                self._show(state)
        except Exception as error:  # a page that cannot show one state shows the next; NiceGUI tells
            _logger.exception("a page cannot show a state")
            core.app.handle_exception(error)

    def _soon(self, what: Callable[[], None]) -> None:
        """On the server's loop; a server that has ended shows nothing any more."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what)
