"""Disconnect filter: silence about requests whose browser has gone before the answer, which is no fault of ours.

Where a browser goes on to another page meanwhile, Starlette's middlewares inside NiceGUI find no answer to hand on and
raise an error, which the server would write out at length as if something had broken.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_NOTHING_TO_HAND_ON: Final = "No response returned."
"""Message of `starlette.middleware.base` then."""

_GONE_S: Final = 0.1
"""Timeout of the message that a client has disconnected; it comes at once, if at all."""


class DisconnectFilter:
    """An ASGI application before another one, which is quiet about requests that nobody waits for any more.

    Args:
        app: what answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered."""
        try:
            await self._app(scope, receive, send)
        except RuntimeError as error:
            if str(error) != _NOTHING_TO_HAND_ON or not await _has_gone(receive):
                raise


async def _has_gone(receive: Receive) -> bool:
    """Tell if nobody waits for the answer."""
    try:
        async with asyncio.timeout(_GONE_S):
            while (await receive())["type"] != "http.disconnect":
                pass
    except TimeoutError:
        return False
    return True
