"""Authentication: the visitor of a request, by its cookie."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from bunnymoose_cv.web.auth.access import VISITOR, Role
from bunnymoose_cv.web.server.request_kinds import is_from_this_computer

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from bunnymoose_cv.web.auth.access import Access, Visitor


class Authentication:
    """Middleware that notes in a request's scope whose it is; it refuses nobody."""

    def __init__(self, app: ASGIApp, access: Access, cookie: str) -> None:
        self._app, self._access, self._cookie = app, access, cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its visitor."""
        visitor = self._visitor(scope)
        await self._app(scope if visitor is None else {**scope, VISITOR: visitor}, receive, send)

    def _visitor(self, scope: Scope) -> Visitor | None:
        """Return the visitor of a request; the owner is known on the computer itself alone."""
        try:
            morsel = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(self._cookie)
        except CookieError:
            return None
        visitor = self._access.visitor(None if morsel is None else morsel.value)
        is_owner = visitor is not None and visitor.role is Role.OWNER
        return None if is_owner and not is_from_this_computer(scope) else visitor
