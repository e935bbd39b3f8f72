"""Checks of a request that hold for everybody: host, method, origin and sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from bunnymoose_cv.web.server.bare_page import refusal_page
from bunnymoose_cv.web.server.request_kinds import is_photo, is_upload

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from starlette.types import ASGIApp, Receive, Scope, Send

    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host


class RequestChecks:
    """Middleware that refuses a request that no page of ours sends, and passes on none of a proxy's headers.

    Args:
        hosts: names by which a request may call the server; they may change.
    """

    def __init__(self, app: ASGIApp, host: Host, hosts: AbstractSet[str], limits: Limits) -> None:
        self._app, self._host, self._hosts, self._limits = app, host, hosts, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        status = self._refusal_status(scope, Headers(scope=scope))
        if status is not None:
            await refusal_page(self._host.texts, status)(scope, receive, send)
            return
        headers = [each for each in scope["headers"] if not each[0].startswith(b"x-forwarded-")]
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
        """Tell if one host is named, and ours.

        A page of somebody else whose name is made to point to this computer, DNS rebinding, names another one.
        """
        return len(headers.getlist("host")) == 1 and headers["host"].casefold() in self._hosts

    def _has_bounded_body(self, scope: Scope, headers: Headers) -> bool:
        """True for a request without a body, and for a photograph or command whose size is told and allowed."""
        told = headers.get("content-length", "0")
        most = self._limits.photo_bytes if is_photo(scope) else self._limits.command_bytes if is_upload(scope) else 0
        digits = told.isascii() and told.isdecimal() and len(told) <= len(str(most))
        return digits and bool(most) <= int(told) <= most and "transfer-encoding" not in headers


def _is_same_origin(headers: Headers) -> bool:
    """Tell if a page of our own sends a form; every browser tells which page does."""
    return headers.get("origin") == f"http://{headers.get('host', '')}"
