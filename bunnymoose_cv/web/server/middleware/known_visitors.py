"""Authentication, admission of known visitors alone, and the end of connections of those who are known no more."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers

from bunnymoose_cv.web.auth.access import VISITOR, Role
from bunnymoose_cv.web.server.bare_page import identify_page
from bunnymoose_cv.web.server.request_kinds import is_from_this_computer

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

    from bunnymoose_cv.web.auth.access import Access, Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.server.connections import Regulars

_FROM_US: Final = frozenset({"same-origin", "none"})
"""Names that browsers give a request by a page of ours or by a person; other programs name nothing."""


class Authentication:
    """Middleware that notes in a request's scope whose it is; it refuses nobody."""

    def __init__(self, app: ASGIApp, access: Access, cookie: str) -> None:
        self._app, self._access, self._cookie = app, access, cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its visitor."""
        visitor = self._visitor(scope)
        await self._app(scope if visitor is None else {**scope, VISITOR: visitor}, receive, send)

    def _visitor(self, scope: Scope) -> Visitor | None:
        """Return the visitor of a request; the owner is known on the computer itself alone.

        Requests of a page of another server on this computer are a stranger's, though they bring our cookie, which
        knows no ports.
        """
        headers = Headers(scope=scope)
        if headers.get("sec-fetch-site", "none") not in _FROM_US:
            return None
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return None
        visitor = self._access.visitor(None if morsel is None else morsel.value)
        is_owner = visitor is not None and visitor.role is Role.OWNER
        return None if is_owner and not is_from_this_computer(scope) else visitor


class KnownVisitors:
    """Middleware that lets known visitors in, and ends their connections once they are known no more.

    Args:
        close_connections: ends connections at once, by what tells from address and port of the other side which.
        regulars: told of each connection that a known visitor uses.
    """

    def __init__(
        self,
        app: ASGIApp,
        host: Host,
        close_connections: Callable[[Callable[[tuple[str, int]], bool]], None],
        regulars: Regulars,
    ) -> None:
        self._app, self._host = app, host
        self._close_connections, self._regulars = close_connections, regulars
        self._inside: dict[tuple[str, int], str] = {}
        host.access.listen(self._end_unknown)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a known visitor's request on; a stranger is told how to come in."""
        if VISITOR not in scope:
            refusal = identify_page(self._host.texts, is_owner=is_from_this_computer(scope))
            await refusal(scope, receive, send)
            return
        client, visitor = tuple(scope["client"]), scope[VISITOR]
        self._inside[client] = visitor.key
        self._regulars.add(client, visitor)
        try:
            await self._app(scope, receive, send)
        finally:
            self._inside.pop(client, None)

    def _end_unknown(self) -> None:
        """End the answers to visitors who are known no more."""
        knows = self._host.access.knows
        self._regulars.forget(knows)
        strangers = {client for client, key in self._inside.items() if not knows(key)}
        if strangers:
            self._close_connections(strangers.__contains__)
