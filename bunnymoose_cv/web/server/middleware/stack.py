"""Stack of middlewares that every request passes: pages, their events and commands, media, styles and scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.middleware import Middleware

from bunnymoose_cv.web.server.middleware.known_visitors import Authentication, KnownVisitors
from bunnymoose_cv.web.server.middleware.login import Login
from bunnymoose_cv.web.server.middleware.rate_limit import RateLimit, page_client, request_client
from bunnymoose_cv.web.server.middleware.request_checks import RequestChecks
from bunnymoose_cv.web.server.middleware.security_headers import SecurityHeaders

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.server.addresses import ServerAddress
    from bunnymoose_cv.web.server.connections import Regulars


def guard(  # noqa: PLR0913, PLR0917 - what the middlewares decide by
    app: ASGIApp,
    host: Host,
    where: ServerAddress,
    limits: Limits,
    close_connections: Callable[[Callable[[tuple[str, int]], bool]], None],
    regulars: Regulars,
) -> ASGIApp:
    """Put the middlewares in front of an application, outside its own answers to faults.

    Args:
        where: it is reached.
        close_connections: ends connections at once, by what tells from address and port of the other side which.
        regulars: told of each connection that a known visitor uses.
    """
    stack = (
        Middleware(SecurityHeaders),
        Middleware(Authentication, host.access, where.cookie),
        Middleware(RateLimit, host, limits.requests, request_client(host.access)),
        Middleware(RequestChecks, host, where.hosts, limits),
        Middleware(Login, host, where.cookie, limits.wrong_codes),
        Middleware(KnownVisitors, host, close_connections, regulars),
        Middleware(RateLimit, host, limits.pages, page_client),
    )
    first = app
    for middleware, args, kwargs in reversed(stack):
        first = middleware(first, *args, **kwargs)

    async def enter(scope: Scope, receive: Receive, send: Send) -> None:
        await (first if scope["type"] == "http" else app)(scope, receive, send)

    return enter
