"""Security headers of every answer.

A page runs our script files alone: no script in the page itself, and no text that is evaluated as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.datastructures import MutableHeaders

from bunnymoose_cv.web import urls
from bunnymoose_cv.web.server.request_kinds import is_from_this_computer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

NOTHING_LOADED: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
"""The content policy of a page that is one sentence (bare_page.py), and of everything that is no page."""


HTML_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content policy of a page; its forms are sent by a script (commands.js)."""


class SecurityHeaders:
    """Middleware that adds the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back with the headers."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                policy = answer.get("content-security-policy", NOTHING_LOADED)
                kept = answer.get("cache-control") is not None and scope["path"].startswith(urls.STYLE)
                answer.update(_headers(policy, kept=kept, here=is_from_this_computer(scope)))
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _headers(policy: str, *, kept: bool, here: bool) -> Mapping[str, str]:
    """Security headers of an answer.

    Args:
        kept: whether the browser may keep it; pages and images of people are never kept.
        here: whether it stays on this computer; browsers ignore an opener policy, and complain of it, over plain http.
    """
    headers = {
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
    }
    if here:
        headers["cross-origin-opener-policy"] = "same-origin"
    return headers if kept else {**headers, "cache-control": "no-store"}
