"""Access middleware of the server: authentication, rate limits and security headers.

Everything passes here: pages, their events and commands, images, films, style sheets and scripts.
"""

from __future__ import annotations

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders

from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import VISITOR, AccessError, Role
from bunnymoose_cv.web.server.bare_page import bare_page, onward_page
from bunnymoose_cv.web.server.rate_limits import TokenBucket
from bunnymoose_cv.web.server.security_headers import NOTHING_LOADED, answer_headers, is_same_origin

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.server.connections import Regulars

_EVENING_S: Final = 18 * 3600
"""Lifetime of a browser's cookie."""

_HERE: Final = frozenset({"127.0.0.1", "::1"})
"""Loopback addresses, of the computer itself; the owner comes in nowhere else."""

_FROM_US: Final = frozenset({"same-origin", "none"})
"""Names that browsers give a request by a page of ours or by a person; other programs name nothing."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Address of a server.

    Attributes:
        port: it listens on.
        hosts: what a request may call it (`security_headers.our_hosts`).
    """

    port: int
    hosts: frozenset[str]

    @property
    def cookie(self) -> str:
        """Name of the cookie, with the port, since browsers share cookies between ports."""
        return f"bunnymoose-{self.port}"


class Gatekeeper:
    """An ASGI application before another one.

    Args:
        app: the application behind it.
        host: whose pages these are.
        where: it is reached.
        limits: of what anybody may ask.
        close_connections: ends connections at once, by what tells from address and port of the other side which.
        regulars: told of each connection that a known visitor uses.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what it decides by
        self,
        app: ASGIApp,
        host: Host,
        where: ServerAddress,
        limits: Limits,
        close_connections: Callable[[Callable[[tuple[str, int]], bool]], None],
        regulars: Regulars,
    ) -> None:
        self.app = app
        self._host = host
        self._where = where
        self._limits = limits
        self._close_connections = close_connections
        self._regulars = regulars
        self._requests, self._pages = TokenBucket(limits.requests), TokenBucket(limits.pages)
        self._wrong_codes = TokenBucket(limits.wrong_codes)
        self._inside: dict[tuple[str, int], str] = {}
        host.access.listen(self._send_away)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in or not."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    # Requests.

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        dressed = self._dressed(scope, send)
        refusal = self._refusal(scope, headers) or self._way_in(scope, headers)
        visitor = None if refusal else self._visitor(scope, headers)
        if visitor is None:
            await (refusal or self._who_are_you(scope))(scope, receive, dressed)
        elif _is_page(scope) and not self._pages.allows(visitor.key):
            await self._sentence(429)(scope, receive, dressed)
        else:
            await self._inside_with(visitor, scope, receive, dressed)

    async def _inside_with(self, visitor: Visitor, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a known visitor's request; ended at once when the visitor is known no more."""
        scope[VISITOR] = visitor
        scope["headers"] = [each for each in scope["headers"] if not each[0].startswith(b"x-forwarded-")]
        client = tuple(scope["client"])
        self._inside[client] = visitor.key
        self._regulars.add(client, visitor.key)
        try:
            await self.app(scope, receive, send)
        finally:
            self._inside.pop(client, None)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the refusal that holds for everybody, if one does."""
        target_bytes = len(scope["raw_path"]) + len(scope["query_string"])
        reasons = {
            429: not self._requests.allows(self._budget(scope, headers)),
            421: not self._is_named_rightly(headers),
            405: scope["method"] not in {"GET", "HEAD"} and not _is_sent(scope),
            403: _is_sent(scope) and not is_same_origin(headers.get("origin"), headers.get("host", "")),
            413: not self._is_bounded(scope, headers),
            414: target_bytes > self._limits.target_bytes,
            431: sum(len(name) + len(value) for name, value in headers.raw) > self._limits.head_bytes,
        }
        return next((self._sentence(status) for status, holds in reasons.items() if holds), None)

    def _is_bounded(self, scope: Scope, headers: Headers) -> bool:
        """True for a request without a body, and for a photograph or command whose size is told and allowed."""
        told = headers.get("content-length", "0")
        most = self._limits.photo_bytes if _is_photo(scope) else self._limits.command_bytes if _is_sent(scope) else 0
        digits = told.isascii() and told.isdecimal() and len(told) <= len(str(most))
        return digits and bool(most) <= int(told) <= most and "transfer-encoding" not in headers

    def _budget(self, scope: Scope, headers: Headers) -> Hashable:
        """Identity of a request's rate: a known visitor's own, before an address.

        So strangers who share the owner's address, pages of theirs in the owner's browser among them, use up none of
        the owner's.
        """
        visitor = self._visitor(scope, headers)
        if visitor is not None and headers.get("sec-fetch-site", "none") in _FROM_US:
            return "visitor", visitor.key
        return ("owner's key",) if self._is_owners_key(scope) else ("address", scope["client"][0])

    def _is_owners_key(self, scope: Scope) -> bool:
        """True where the address that the terminal shows is opened on the computer itself."""
        if scope["path"] != urls.OPEN or not _is_here(scope):
            return False
        keys = parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])
        return self._host.access.is_owners(keys[0])

    def _is_named_rightly(self, headers: Headers) -> bool:
        return len(headers.getlist("host")) == 1 and headers["host"].casefold() in self._where.hosts

    def _way_in(self, scope: Scope, headers: Headers) -> Response | None:
        """Handle the two log-in addresses: the code's, and the one-time key's of this computer."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        secret = next((query[name][0] for name in ("code", "key") if name in query), None)
        way = (scope["path"], *(name for name in ("code", "key") if name in query))
        if secret is None or way not in {(urls.JOIN, "code"), (urls.OPEN, "key")} or scope["method"] != "GET":
            return None
        if not self._is_owners_key(scope) and not self._wrong_codes.would_allow(scope["client"][0]):
            return self._sentence(429)
        try:
            cookie = self._cookie_for(scope, headers, secret)
        except AccessError as error:
            return bare_page(self._host.texts, self._host.texts("Not this time"), self._host.texts(error.sentence), 403)
        if cookie is None:
            self._wrong_codes.allows(scope["client"][0])
            return self._who_are_you(scope)
        answer = onward_page(self._host.texts, "/" if scope["path"] == urls.OPEN else urls.JOIN)
        if cookie:
            answer.set_cookie(self._where.cookie, cookie, max_age=_EVENING_S, httponly=True, samesite="strict")
        return answer

    def _cookie_for(self, scope: Scope, headers: Headers, secret: str) -> str | None:
        """Make a cookie; an empty one for a known visitor, None without a valid secret."""
        access = self._host.access
        if scope["path"] == urls.OPEN:
            return access.become_owner(secret) if _is_here(scope) else None
        known = self._visitor(scope, headers)
        if known is not None:
            return ""
        return access.join(secret, scope["client"][0])

    def _visitor(self, scope: Scope, headers: Headers) -> Visitor | None:
        """Return the visitor of a request; the owner is known on the computer itself alone."""
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(self._where.cookie)
        except CookieError:
            return None
        visitor = self._host.access.visitor(None if morsel is None else morsel.value)
        if visitor is not None and visitor.role is Role.OWNER and not _is_here(scope):
            return None
        return visitor

    # Who is known no more, and what is said to strangers.

    def _send_away(self) -> None:
        """End what goes on with whoever is known no more."""
        self._regulars.forget(self._host.access.knows)
        strangers = {client for client, key in self._inside.items() if not self._host.access.knows(key)}
        if strangers:
            self._close_connections(strangers.__contains__)

    def _who_are_you(self, scope: Scope) -> Response:
        texts = self._host.texts
        what = (
            texts("Open the address that the terminal shows.")
            if _is_here(scope)
            else texts("Take the code on the screen at the table with this phone's camera.")
        )
        return bare_page(texts, texts("Who are you?"), what, 403)

    def _sentence(self, status: int) -> Response:
        texts = self._host.texts
        if status == 429:  # noqa: PLR2004 - HTTP's own number for too many requests
            return bare_page(texts, texts("Not so fast"), texts("Wait a moment and try once more."), status)
        answer = bare_page(texts, texts("Not here"), texts("There is nothing here."), status, "/")
        answer.headers["connection"] = "close"  # what follows of such a request is not waited for
        return answer

    def _dressed(self, scope: Scope, send: Send) -> Send:
        """Wrap `send` so that answers carry the security headers."""

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                policy = answer.get("content-security-policy", NOTHING_LOADED)
                kept = answer.get("cache-control") is not None and scope["path"].startswith(urls.STYLE)
                for name, value in answer_headers(policy, kept=kept, here=_is_here(scope)).items():
                    answer[name] = value
            await send(message)

        return dressed


def _is_here(scope: Scope) -> bool:
    return scope["server"] is not None and scope["server"][0] in _HERE


def _is_photo(scope: Scope) -> bool:
    """Tell if a photograph of cards is sent."""
    return scope["method"] == "POST" and scope["path"] in {urls.PHOTO, urls.ENROL_PHOTO}


def _is_sent(scope: Scope) -> bool:
    """Tell if a photograph or a command is sent."""
    return _is_photo(scope) or (scope["method"] == "POST" and scope["path"].startswith(urls.COMMANDS))


def _is_page(scope: Scope) -> bool:
    """Tell if a page is asked for, which costs more to make than anything else."""
    return scope["method"] != "POST" and "." not in scope["path"]
