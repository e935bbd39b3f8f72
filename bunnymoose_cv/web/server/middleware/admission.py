"""Admission of visitors: authentication, log-in by a code or a key, and the end of connections of removed visitors."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers

from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import VISITOR
from bunnymoose_cv.web.auth.permissions import AccessError, Role
from bunnymoose_cv.web.limits import EVENING_S, TokenBucket
from bunnymoose_cv.web.server.middleware.protection import is_from_this_computer
from bunnymoose_cv.web.server.refusals import bare_page, identify_page, onward_page, refusal_page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from bunnymoose_cv.web.auth.access import Access, Visitor
    from bunnymoose_cv.web.limits import Pace
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.server.connections import Regulars


_FROM_US: Final = frozenset({"same-origin", "none"})
"""Values of `sec-fetch-site` for a request by our own page or by a user; other programs do not send the header."""


class Authentication:
    """Middleware that adds the visitor to a request's scope; it refuses no request."""

    def __init__(self, app: ASGIApp, access: Access, cookie: str) -> None:
        self._app, self._access, self._cookie = app, access, cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its visitor."""
        visitor = self._visitor(scope)
        await self._app(scope if visitor is None else {**scope, VISITOR: visitor}, receive, send)

    def _visitor(self, scope: Scope) -> Visitor | None:
        """Return the visitor of a request; the owner is accepted on the computer itself alone.

        A request by a page of another server on this computer counts as a stranger's, though it has our cookie: cookies
        do not depend on the port.
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
    """Middleware that admits known visitors alone, and ends their connections once they are removed."""

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
        host.access.changes.listen(self._end_unknown)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a known visitor's request on, and show a stranger how to log in."""
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
        knows = self._host.access.knows
        self._regulars.forget(knows)
        strangers = {client for client, key in tuple(self._inside.items()) if not knows(key)}
        if strangers:
            self._close_connections(strangers.__contains__)


_SECRETS: Final[Mapping[str, str]] = {urls.JOIN: "code", urls.OPEN: "key"}
"""Field of the query with the secret, by address: the code for phones, the key for the owner."""


class Login:
    """Middleware that answers the two addresses with which a browser logs in."""

    def __init__(self, app: ASGIApp, host: Host, cookie: str, wrong_codes: Pace) -> None:
        self._app, self._host, self._cookie = app, host, cookie
        self._wrong_codes = TokenBucket(wrong_codes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with a secret, and pass every other request on."""
        secret = _secret_in(scope)
        answer = self._app if secret is None else self._answer(scope, secret)
        await answer(scope, receive, send)

    def _answer(self, scope: Scope, secret: str) -> Response:
        texts = self._host.texts
        try:
            cookie = self._cookie_for(scope, secret)
        except AccessError as error:
            return bare_page(texts, texts("Not this time"), texts(error.sentence), 403)
        if cookie is None:  # only wrong codes count, so that others at the address of an attacker can log in
            if not self._wrong_codes.allows(scope["client"][0]):
                return refusal_page(texts, 429)
            return identify_page(texts, is_owner=is_from_this_computer(scope))
        answer = onward_page(texts, "/" if scope["path"] == urls.OPEN else urls.JOIN)
        if cookie:
            answer.set_cookie(self._cookie, cookie, max_age=EVENING_S, httponly=True, samesite="strict")
        return answer

    def _cookie_for(self, scope: Scope, secret: str) -> str | None:
        """Return a new cookie: empty for a known visitor, None without a valid secret."""
        if scope["path"] == urls.OPEN:
            return self._host.access.become_owner(secret) if is_from_this_computer(scope) else None
        return "" if VISITOR in scope else self._host.access.join(secret, scope["client"][0])


def _secret_in(scope: Scope) -> str | None:
    """Return the secret of a request to one of the two addresses, or None for every other request."""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    secrets = [name for name in _SECRETS.values() if name in query]
    is_login = scope["method"] == "GET" and secrets == [_SECRETS.get(scope["path"])]
    return query[secrets[0]][0] if is_login else None


def has_valid_secret(scope: Scope, access: Access) -> bool:
    """Return whether a request would log in: by the code, or on the computer itself by the owner's key."""
    secret = _secret_in(scope)
    if secret is None:
        return False
    if scope["path"] == urls.JOIN:
        return access.is_code(secret)
    return is_from_this_computer(scope) and access.is_owner_key(secret)
