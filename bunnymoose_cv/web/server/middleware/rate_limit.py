"""Rate limits of requests and of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.web.auth.access import VISITOR
from bunnymoose_cv.web.server.bare_page import refusal_page
from bunnymoose_cv.web.server.middleware.login import brings_right_secret
from bunnymoose_cv.web.server.rate_limits import TokenBucket
from bunnymoose_cv.web.server.request_kinds import is_page

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from starlette.types import ASGIApp, Receive, Scope, Send

    from bunnymoose_cv.web.auth.access import Access
    from bunnymoose_cv.web.limits import Pace
    from bunnymoose_cv.web.live.host import Host


class RateLimit:
    """Middleware that refuses what a client asks too often.

    Args:
        client_of: identity of the client whose rate a request counts for; None where it is not limited.
    """

    def __init__(self, app: ASGIApp, host: Host, pace: Pace, client_of: Callable[[Scope], Hashable | None]) -> None:
        self._app, self._host, self._client_of = app, host, client_of
        self._bucket = TokenBucket(pace)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        client = self._client_of(scope)
        allowed = client is None or self._bucket.allows(client)
        await (self._app if allowed else refusal_page(self._host.texts, 429))(scope, receive, send)


def request_client(access: Access) -> Callable[[Scope], Hashable]:
    """Identity of a request's client: a known visitor's own, before an address.

    So strangers use up nothing of the rate of known visitors at their address, or of those who bring a right secret.
    """

    def client_of(scope: Scope) -> Hashable:
        visitor = scope.get(VISITOR)
        if visitor is not None:
            return "visitor", visitor.key
        return ("secret" if brings_right_secret(scope, access) else "address"), scope["client"][0]

    return client_of


def page_client(scope: Scope) -> Hashable | None:
    """Identity of a page's visitor; None where no page is asked for."""
    key: str = scope[VISITOR].key
    return key if is_page(scope) else None
