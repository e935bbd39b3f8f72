"""Pages of our own HTML, and the streams of events that keep them as the table is.

GET PATH             the page
GET /events/PATH     its events; 429 with one sentence for people if too many are open
                     (`?waits`: also if another page would have to give its place up)
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from bunnymoose_cv.web.auth.access import Role, visitor_of
from bunnymoose_cv.web.live.event_stream import MEDIA_TYPE, EventStreams
from bunnymoose_cv.web.server.middleware.security_headers import HTML_POLICY
from bunnymoose_cv.web.urls import EVENTS, JOIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.requests import Request

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.event_stream import Snapshot
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.pages.html_page import HtmlPage
    from bunnymoose_cv.web.server.routes import PageRoute


class HtmlPages:
    """Endpoints of all such pages.

    Args:
        refuse: the page for whoever may not open one.
    """

    def __init__(self, host: Host, streams: EventStreams, refuse: Callable[[], Response]) -> None:
        self._host, self._streams, self._refuse = host, streams, refuse

    def routes(self, route: PageRoute) -> Iterator[Route]:
        """Make the two routes of a page."""

        def build(request: Request) -> HtmlPage:
            return route.page(self._host, visitor_of(request), **request.path_params)

        def take_snapshot(request: Request) -> Snapshot:
            return build(request).snapshot(visitor_of(request), self._host.texts)

        async def page(request: Request) -> Response:
            visitor = visitor_of(request)
            if visitor.role not in route.roles:
                return self._refuse_page(visitor, route)
            stream = f"{EVENTS}{request.url.path}"
            built = build(request) if route.basis is None else await asyncio.to_thread(build, request)
            content = built.document(visitor, self._host.texts, stream)
            return HTMLResponse(content, headers={"content-security-policy": HTML_POLICY})

        async def events(request: Request) -> Response:
            visitor = visitor_of(request)
            if visitor.role not in route.roles:
                return self._refuse()
            waits = "waits" in request.query_params
            if not self._streams.places.has_room(visitor, waits=waits):
                return PlainTextResponse(self._streams.refusal, status_code=429)
            known = request.headers.get("last-event-id") or request.query_params.get("seen", "")
            seen = frozenset(known.split("."))
            watching = None if route.watch is None else route.watch(self._host, visitor, **request.path_params)
            show = partial(take_snapshot, request)
            beside = None if route.basis is None else _SnapshotsBeside(show, partial(route.basis, self._host))
            stream = self._streams.events(visitor, seen, beside or show, watching, waits=waits)
            return StreamingResponse(stream, media_type=MEDIA_TYPE)

        yield Route(route.path, page, name=route.path, middleware=[Middleware(GZipMiddleware)])
        yield Route(f"{EVENTS}{route.path}", events, name=f"{EVENTS}{route.path}")

    def _refuse_page(self, visitor: Visitor, route: PageRoute) -> Response:
        """Answer of a page to whoever may not open it; a phone that has lost its player is asked whose it is."""
        if visitor.role is Role.GUEST and Role.PLAYER in route.roles:
            return RedirectResponse(JOIN, 303)
        return self._refuse()


class _SnapshotsBeside:
    """Snapshots of a page, made beside the server's loop, and again only when its basis differs."""

    def __init__(self, show: Callable[[], Snapshot], basis: Callable[[], object]) -> None:
        self._show, self._basis = show, basis
        self._last: tuple[object, Snapshot] | None = None

    async def __call__(self) -> Snapshot:
        basis = self._basis()
        if self._last is None or self._last[0] != basis or self._last[1].again_s is not None:
            self._last = (basis, await asyncio.to_thread(self._show))
        return self._last[1]
