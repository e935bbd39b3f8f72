"""Pages of our own HTML: their addresses, roles and builders, and the streams of events that keep them up to date.

GET PATH             the page
GET /events/PATH     its events; 429 with one sentence for people if too many are open
                     (`?waits`: also if another page would have to give its place up)
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import visitor_of
from bunnymoose_cv.web.auth.permissions import Role
from bunnymoose_cv.web.live.streams import MEDIA_TYPE, EventStreams
from bunnymoose_cv.web.pages import (
    camera_pages,
    card_pages,
    history_pages,
    phone_pages,
    setup_page,
    table_page,
    verdict_pages,
)
from bunnymoose_cv.web.pages.html_page import camera_banner, with_camera_banner
from bunnymoose_cv.web.server.middleware.protection import HTML_POLICY
from bunnymoose_cv.web.urls import EVENTS, FILMS, HISTORY, JOIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from starlette.requests import Request

    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.streams import PartsRenderer, Show, Snapshot
    from bunnymoose_cv.web.pages.html_page import HtmlPage


_ALL: Final = frozenset(Role)
_OWNER: Final = frozenset({Role.OWNER})
_PLAYERS: Final = frozenset({Role.OWNER, Role.PLAYER})


@dataclass(frozen=True, slots=True)
class PageRoute:
    """A page of the screen. Its functions are called with host, visitor and the numbers in its address.

    Attributes:
        path: the address; its variable parts are numbers.
        watch: a context manager for each open stream, which yields the renderer of parts that follow the camera.
        basis: for a page that reads files, the state of the host that it depends on. The page is built beside the
            server's loop, and again on a stream only when its basis differs. None for all other pages.
    """

    path: str
    page: Callable[..., HtmlPage]
    roles: frozenset[Role]
    watch: Callable[..., AbstractContextManager[PartsRenderer | None]] | None = None
    basis: Callable[[Host], object] | None = None


ROUTES: Final = (
    PageRoute(urls.SETUP, setup_page.page, _OWNER, watch=setup_page.watch),
    PageRoute(urls.TABLE, table_page.page, _ALL, watch=table_page.watch),
    PageRoute(urls.CARDS, card_pages.cards_page, _PLAYERS),
    PageRoute(urls.VERDICTS, verdict_pages.verdicts_page, _ALL),
    PageRoute("/verdicts/{round_number:int}", verdict_pages.verdicts_page, _ALL),
    PageRoute("/contest/{round_number:int}/{seat:int}", verdict_pages.contest_page, _ALL),
    PageRoute(urls.HISTORY, history_pages.history_page, _OWNER, basis=history_pages.history_basis),
    PageRoute("/history/{game:int}", history_pages.history_page, _OWNER, basis=history_pages.history_basis),
    PageRoute(urls.FILMS, history_pages.films_page, _ALL, basis=history_pages.films_basis),
    PageRoute(urls.PRACTICE, camera_pages.practice_page, _OWNER, watch=camera_pages.watch_practice),
    PageRoute("/check", camera_pages.check_page, _OWNER, watch=camera_pages.watch_check),
    PageRoute("/warm-up", camera_pages.warm_up_page, _OWNER, watch=camera_pages.watch_warm_up),
    PageRoute("/enrol", card_pages.enrol_page, _OWNER, watch=card_pages.watch_enrolment),
    PageRoute(urls.HOW_TO_PLAY, phone_pages.how_to_play_page, _ALL),
    PageRoute(urls.JOIN, phone_pages.join_page, _ALL),
    PageRoute(urls.PHONE, phone_pages.phone_page, frozenset({Role.PLAYER})),
)
"""All pages. Other evenings are the owner's alone: phones see the current one."""


def page_routes(host: Host, limits: Limits, refuse: Callable[[], Response]) -> Sequence[Route]:
    """Return the routes of all pages; `refuse` builds the page for a visitor who may not open one."""
    streams = EventStreams(host, limits)
    return [route for page_route in ROUTES for route in _routes(page_route, host, streams, refuse)]


def _routes(route: PageRoute, host: Host, streams: EventStreams, refuse: Callable[[], Response]) -> Iterator[Route]:
    """Yield the two routes of a page."""

    def build(request: Request) -> HtmlPage:
        return with_camera_banner(route.page(host, visitor_of(request), **request.path_params), host)

    def take_snapshot(request: Request) -> Snapshot:
        return build(request).snapshot(visitor_of(request), host.texts)

    async def page(request: Request) -> Response:
        visitor = visitor_of(request)
        if visitor.role not in route.roles:
            if route.path.startswith(HISTORY):
                return RedirectResponse(FILMS, 303)
            has_lost_player = visitor.role is Role.GUEST and Role.PLAYER in route.roles
            return RedirectResponse(JOIN, 303) if has_lost_player else refuse()
        built = build(request) if route.basis is None else await asyncio.to_thread(build, request)
        content = built.document(visitor, host.texts, f"{EVENTS}{request.url.path}")
        return HTMLResponse(content, headers={"content-security-policy": HTML_POLICY})

    async def events(request: Request) -> Response:
        visitor = visitor_of(request)
        if visitor.role not in route.roles:
            return refuse()
        waits = "waits" in request.query_params
        if not streams.places.has_room(visitor, waits=waits):
            return PlainTextResponse(streams.refusal, status_code=429)
        known = request.headers.get("last-event-id") or request.query_params.get("seen", "")
        watching = None if route.watch is None else route.watch(host, visitor, **request.path_params)
        build_snapshot = partial(take_snapshot, request)
        show = build_snapshot if route.basis is None else _build_beside(build_snapshot, route.basis, host)
        stream = streams.events(visitor, frozenset(known.split(".")), show, watching, waits=waits)
        return StreamingResponse(stream, media_type=MEDIA_TYPE)

    yield Route(route.path, page, name=route.path, middleware=[Middleware(GZipMiddleware)])
    yield Route(f"{EVENTS}{route.path}", events, name=f"{EVENTS}{route.path}")


def _build_beside(show: Callable[[], Snapshot], basis_of: Callable[[Host], object], host: Host) -> Show:
    """Return a function that builds a page beside the server's loop, and again only when its basis differs."""
    last: tuple[object, Snapshot] | None = None

    async def snapshot() -> Snapshot:
        nonlocal last
        basis = basis_of(host), camera_banner(host)
        if last is None or last[0] != basis or last[1].again_s is not None:
            last = basis, await asyncio.to_thread(show)
        return last[1]

    return snapshot
