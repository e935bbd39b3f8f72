"""Stack of middlewares that every request passes, and its rate limits of requests and pages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bunnymoose_cv.web.auth.access import VISITOR
from bunnymoose_cv.web.limits import TokenBucket
from bunnymoose_cv.web.server.middleware.admission import Authentication, KnownVisitors, Login, has_valid_secret
from bunnymoose_cv.web.server.middleware.protection import RequestChecks, SecurityHeaders, is_page
from bunnymoose_cv.web.server.refusals import refusal_page

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from starlette.types import ASGIApp, Receive, Scope, Send

    from bunnymoose_cv.web.auth.access import Access
    from bunnymoose_cv.web.limits import Limits, Pace
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.server.addresses import ServerAddress
    from bunnymoose_cv.web.server.connections import Regulars


class RateLimit:
    """Middleware that refuses requests over the rate limit of their client; without a client a request passes."""

    def __init__(self, app: ASGIApp, host: Host, pace: Pace, client_of: Callable[[Scope], Hashable | None]) -> None:
        self._app, self._host, self._client_of = app, host, client_of
        self._bucket = TokenBucket(pace)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        client = self._client_of(scope)
        allowed = client is None or self._bucket.allows(client)
        await (self._app if allowed else refusal_page(self._host.texts, 429))(scope, receive, send)


def request_client(access: Access, scope: Scope) -> Hashable:
    """Return the identity of a request's client: a known visitor, otherwise an address.

    So strangers do not use up the rate of known visitors at their address, or of clients with a valid secret.
    """
    visitor = scope.get(VISITOR)
    if visitor is not None:
        return "visitor", visitor.key
    return ("secret" if has_valid_secret(scope, access) else "address"), scope["client"][0]


def page_client(scope: Scope) -> Hashable | None:
    """Return the identity of a page's visitor, or None if the request is not for a page."""
    key: str = scope[VISITOR].key
    return key if is_page(scope) else None


def guard(  # noqa: PLR0913, PLR0917 - the parameters of all middlewares
    app: ASGIApp,
    host: Host,
    where: ServerAddress,
    limits: Limits,
    close_connections: Callable[[Callable[[tuple[str, int]], bool]], None],
    regulars: Regulars,
) -> ASGIApp:
    """Return an application behind the middlewares, which also cover its answers to internal errors."""
    first: ASGIApp = RateLimit(app, host, limits.pages, page_client)  # the first to be passed is the last one here
    first = KnownVisitors(first, host, close_connections, regulars)
    first = Login(first, host, where.cookie, limits.wrong_codes)
    first = RequestChecks(first, host, where.hosts, limits)
    first = RateLimit(first, host, limits.requests, partial(request_client, host.access))
    first = Authentication(first, host.access, where.cookie)
    first = SecurityHeaders(first)

    async def enter(scope: Scope, receive: Receive, send: Send) -> None:
        await (first if scope["type"] == "http" else app)(scope, receive, send)

    return enter
