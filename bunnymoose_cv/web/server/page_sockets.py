"""Holds NiceGUI's socket to one page: whoever talks through it talks about the page that it was opened for.

NiceGUI takes any message for the page that it names.
"""

from __future__ import annotations

import logging
from logging import CRITICAL
from typing import TYPE_CHECKING, Any, Final

from nicegui import core
from nicegui.nicegui import sio

if TYPE_CHECKING:
    from collections.abc import Callable

_logger = logging.getLogger(__name__)

_ABOUT_A_PAGE: Final = ("event", "javascript_response", "ack")

_BUSY_S: Final = 20
"""Timeout of a page that is too busy to answer: a slow phone that draws, a laptop that judges a round meanwhile.

NiceGUI's 2 s would have it loaded anew, with what was being typed there lost.
"""


def hold_sockets_to_their_pages() -> None:
    """Let messages through only where they are about their own page; more than once is no harm.

    Long polling, which would take whole requests as messages, is closed, and so is writing to our log. A page that is
    busy keeps its socket.
    """
    core.app.config.socket_io_js_transports = ["websocket"]
    sio.eio.transports = ["websocket"]
    core.app.on_startup(_wait_for_busy_pages)
    for logger in (sio.logger, sio.eio.logger):
        logger.setLevel(CRITICAL)  # crooked messages are no news
    sio.on("log", handler=_say_nothing)
    sio.on("handshake", handler=_say_nothing)  # pages that we make open their socket with it
    for name in _ABOUT_A_PAGE:
        inner = sio.handlers["/"][name]
        if not isinstance(inner, _OwnPageAlone):
            sio.on(name, handler=_OwnPageAlone(inner))


def _wait_for_busy_pages() -> None:
    sio.eio.ping_timeout = _BUSY_S  # NiceGUI sets its own just before


class _OwnPageAlone:
    """Handles one kind of message."""

    def __init__(self, inner: Callable[[str, dict[str, Any]], None]) -> None:
        self._inner = inner

    def __call__(self, socket: str, message: object = None, *_: object) -> None:
        if isinstance(message, dict) and message.get("client_id") in sio.rooms(socket):
            # What a page's own listeners raise NiceGUI tells; what is left is a message that no browser of ours sends.
            try:
                self._inner(socket, message)
            except Exception:
                _logger.exception("a page's message broke its socket")


def _say_nothing(_socket: str, *_: object) -> bool:
    return False
