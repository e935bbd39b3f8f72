"""Protection of every request and answer: checks of host, method, origin and sizes, and security headers.

A page runs our script files alone: no script in the page itself, and no text that is evaluated as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders

from bunnymoose_cv.web import urls
from bunnymoose_cv.web.server.refusals import refusal_page

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host


_LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})
"""Loopback addresses, the only ones at which the owner is accepted."""


def is_from_this_computer(scope: Scope) -> bool:
    """Return whether a request came to an address that no other computer reaches."""
    return is_loopback(scope["server"])


def is_loopback(server: tuple[str, int | None] | None) -> bool:
    """Return whether an address of the server is out of reach for other computers."""
    return server is not None and server[0] in _LOOPBACK


def is_photo(scope: Scope) -> bool:
    """Return whether a request sends a photograph of cards."""
    return scope["method"] == "POST" and scope["path"] in {urls.PHOTO, urls.ENROL_PHOTO}


def is_upload(scope: Scope) -> bool:
    """Return whether a request sends a photograph or a command."""
    return is_photo(scope) or (scope["method"] == "POST" and scope["path"].startswith(urls.COMMANDS))


def is_page(scope: Scope) -> bool:
    """Return whether a request asks for a page, the costliest kind."""
    return scope["method"] != "POST" and "." not in scope["path"]


class RequestChecks:
    """Middleware that refuses requests that none of our pages sends, and removes a proxy's headers."""

    def __init__(self, app: ASGIApp, host: Host, hosts: AbstractSet[str], limits: Limits) -> None:
        self._app, self._host, self._hosts, self._limits = app, host, hosts, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        status = self._refusal_status(scope, Headers(scope=scope))
        if status is not None:
            await refusal_page(self._host.texts, status)(scope, receive, send)
            return
        headers = [header for header in scope["headers"] if not header[0].startswith(b"x-forwarded-")]
        await self._app({**scope, "headers": headers}, receive, send)

    def _refusal_status(self, scope: Scope, headers: Headers) -> int | None:
        refusals = {
            421: not self._names_us(headers),
            405: scope["method"] not in {"GET", "HEAD"} and not is_upload(scope),
            403: is_upload(scope) and not _is_same_origin(headers),
            413: not self._has_bounded_body(scope, headers),
            414: len(scope["raw_path"]) + len(scope["query_string"]) > self._limits.target_bytes,
            431: sum(len(name) + len(value) for name, value in headers.raw) > self._limits.head_bytes,
        }
        return next((status for status, is_refused in refusals.items() if is_refused), None)

    def _names_us(self, headers: Headers) -> bool:
        """Return whether exactly one host is named, and it is ours, as a protection against DNS rebinding."""
        return len(headers.getlist("host")) == 1 and headers["host"].casefold() in self._hosts

    def _has_bounded_body(self, scope: Scope, headers: Headers) -> bool:
        """Return whether the body is absent, or that of a photograph or command with a declared, allowed size."""
        declared = headers.get("content-length", "0")
        most = self._limits.photo_bytes if is_photo(scope) else self._limits.command_bytes if is_upload(scope) else 0
        digits = declared.isascii() and declared.isdecimal() and len(declared) <= len(str(most))
        return digits and bool(most) <= int(declared) <= most and "transfer-encoding" not in headers


def _is_same_origin(headers: Headers) -> bool:
    """Return whether a form is sent by our own page, according to the header that every browser sends."""
    return headers.get("origin") == f"http://{headers.get('host', '')}"


NOTHING_LOADED: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
"""Content policy of pages of one sentence (refusals.py), and of everything that is not a page."""

HTML_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content policy of a page; its forms are sent by a script (commands.js)."""


_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
}


class SecurityHeaders:
    """Middleware that adds the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back with the headers."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer.setdefault("content-security-policy", NOTHING_LOADED)
                answer.update(_HEADERS)
                if is_from_this_computer(scope):  # elsewhere browsers reject an opener policy over plain HTTP
                    answer["cross-origin-opener-policy"] = "same-origin"
                if "cache-control" not in answer or not scope["path"].startswith(urls.STYLE):
                    answer["cache-control"] = "no-store"  # pages and images of players are never cached
            await send(message)

        await self._app(scope, receive, send_with_headers)
