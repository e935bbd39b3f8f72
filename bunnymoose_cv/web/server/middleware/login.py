"""Log-in: a code or a key in an address becomes a cookie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import VISITOR, AccessError
from bunnymoose_cv.web.limits import EVENING_S
from bunnymoose_cv.web.server.bare_page import bare_page, identify_page, onward_page, refusal_page
from bunnymoose_cv.web.server.rate_limits import TokenBucket
from bunnymoose_cv.web.server.request_kinds import is_from_this_computer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from bunnymoose_cv.web.auth.access import Access
    from bunnymoose_cv.web.limits import Pace
    from bunnymoose_cv.web.live.host import Host

_SECRETS: Final[Mapping[str, str]] = {urls.JOIN: "code", urls.OPEN: "key"}
"""Field of the query with the secret, by address: phones join by the code, the owner opens by a key."""


class Login:
    """Middleware that answers the two addresses that let a browser in.

    Args:
        wrong_codes: rate of wrong codes and keys from one address.
    """

    def __init__(self, app: ASGIApp, host: Host, cookie: str, wrong_codes: Pace) -> None:
        self._app, self._host, self._cookie = app, host, cookie
        self._wrong_codes = TokenBucket(wrong_codes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let whoever brings a valid secret in, and pass every other request on."""
        secret = _secret_in(scope)
        answer = self._app if secret is None else self._answer(scope, secret)
        await answer(scope, receive, send)

    def _answer(self, scope: Scope, secret: str) -> Response:
        texts = self._host.texts
        try:
            cookie = self._cookie_for(scope, secret)
        except AccessError as error:
            return bare_page(texts, texts("Not this time"), texts(error.sentence), 403)
        if cookie is None:  # only wrong codes are counted: whoever shares the address of somebody who guesses comes in
            if not self._wrong_codes.allows(scope["client"][0]):
                return refusal_page(texts, 429)
            return identify_page(texts, is_owner=is_from_this_computer(scope))
        answer = onward_page(texts, "/" if scope["path"] == urls.OPEN else urls.JOIN)
        if cookie:
            answer.set_cookie(self._cookie, cookie, max_age=EVENING_S, httponly=True, samesite="strict")
        return answer

    def _cookie_for(self, scope: Scope, secret: str) -> str | None:
        """Make a cookie; an empty one for a known visitor, None without a valid secret."""
        if scope["path"] == urls.OPEN:
            return self._host.access.become_owner(secret) if is_from_this_computer(scope) else None
        return "" if VISITOR in scope else self._host.access.join(secret, scope["client"][0])


def _secret_in(scope: Scope) -> str | None:
    """Return the secret of a request to one of the two addresses; None for every other request."""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    secrets = [name for name in _SECRETS.values() if name in query]
    is_login = scope["method"] == "GET" and secrets == [_SECRETS.get(scope["path"])]
    return query[secrets[0]][0] if is_login else None


def brings_right_secret(scope: Scope, access: Access) -> bool:
    """Return whether a request would let a browser in: by the code, or on the computer itself by the owner's key."""
    secret = _secret_in(scope)
    if secret is None:
        return False
    if scope["path"] == urls.JOIN:
        return access.is_code(secret)
    return is_from_this_computer(scope) and access.is_owners(secret)
