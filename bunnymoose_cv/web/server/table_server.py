"""Server of the table screen: its pages, where it listens, how it starts and how it stops.

serve(host, lan=False, port=PORT, open_browser=True)      # comes back when it is stopped (Ctrl+C)
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import webbrowser
from contextlib import asynccontextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from signal import SIG_IGN, default_int_handler, getsignal, signal
from threading import Event, Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Any, Final, cast

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.signals import ENDINGS
from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import Role, visitor_of
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live.event_stream import EventStreams
from bunnymoose_cv.web.live.live_image import LiveImage
from bunnymoose_cv.web.server.addresses import HERE, PORT, ServerAddress, addresses_of_this_computer, listen_at
from bunnymoose_cv.web.server.bare_page import bare_page
from bunnymoose_cv.web.server.card_fragments import card_fragment_routes
from bunnymoose_cv.web.server.card_photos import card_photo_routes
from bunnymoose_cv.web.server.command_endpoint import command_routes
from bunnymoose_cv.web.server.connections import Regulars, bounded, close_connections
from bunnymoose_cv.web.server.contest_previews import contest_preview_route
from bunnymoose_cv.web.server.html_pages import HtmlPages
from bunnymoose_cv.web.server.media import media_routes
from bunnymoose_cv.web.server.middleware.stack import guard
from bunnymoose_cv.web.server.routes import ROUTES

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Callable, Container, Iterable, Iterator
    from contextlib import AbstractAsyncContextManager

    from starlette.requests import Request

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host

_logger = logging.getLogger(__name__)

_STYLE: Final = Path(__file__).parents[1] / "static"
_LOOKING_S: Final = 3.0
"""Interval of looking whether the computer has got another address."""

_STOPPING_S: Final = 2
"""Timeout of answers that are on their way when the server is stopped."""


def serve(  # noqa: PLR0913 - what a server is told
    host: Host,
    *,
    lan: bool,
    port: int = PORT,
    open_browser: bool = True,
    limits: Limits | None = None,
    tell: Callable[[str], None] = lambda sentence: print(sentence, file=sys.stderr),  # noqa: T201 - progress
) -> None:
    """Serve the screen until it is stopped: by Ctrl+C or the end of the program.

    Args:
        lan: whether phones in the same network may join; else nothing listens but this computer to itself.
        port: to listen on; 0 takes a free one, after a restart the same again.
        open_browser: whether the owner's page is opened.

    Raises:
        InputError: the port is taken, or this computer is in no network.
    """
    addresses = (HERE, *(addresses_of_this_computer() if lan else ()))
    if lan and len(addresses) == 1:
        raise InputError("This computer is in no local network: join one, or play without --lan.")
    server = open_server(host, addresses, port, limits or Limits(), tell)
    if lan:
        server.find_addresses = addresses_of_this_computer
    server.run(open_browser=open_browser, tell=tell)


def open_server(
    host: Host, addresses: tuple[str, ...], port: int, limits: Limits, tell: Callable[[str], None]
) -> TableServer:
    """Make a server on a port; where any will do, on the one where open pages of this evening look for it.

    Raises:
        InputError: the port is taken.
    """
    before = host.access.port
    if port or not before:
        return TableServer(host, addresses, port, limits)
    try:
        return TableServer(host, addresses, before, limits)
    except InputError:
        tell(f"Port {before}, where this evening was, is taken: let phones join anew, with the code on “Phones”.")
        return TableServer(host, addresses, 0, limits)


class _Server(uvicorn.Server):
    """uvicorn's server, which waits for nobody when it is stopped: live images have no end, and pages come back."""

    async def listen(self, sockets: Iterable[socket.socket]) -> None:
        """Listen at further sockets while it runs."""

        def speak(_loop: asyncio.AbstractEventLoop | None = None) -> asyncio.Protocol:
            protocol = cast("Any", self.config.http_protocol_class)
            spoken: asyncio.Protocol = protocol(self.config, self.server_state, self.lifespan.state, _loop)
            return spoken

        loop = asyncio.get_running_loop()
        self.servers += [await loop.create_server(speak, sock=each) for each in sockets]

    def leave(self, addresses: Container[str]) -> None:
        """Listen at addresses no more."""
        for server in self.servers:
            if any(each.getsockname()[0] in addresses for each in server.sockets):
                server.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        close_connections(self.server_state, lambda _: True)
        await super().shutdown(sockets)


class TableServer:
    """HTTP server of the table screen, before it runs.

    Args:
        addresses: where to listen; the first is this computer's to itself.
    """

    def __init__(self, host: Host, addresses: tuple[str, ...], port: int, limits: Limits) -> None:
        self._host, self._addresses = host, addresses
        self._sockets = listen_at(addresses, port)
        self.port: int = self._sockets[0].getsockname()[1]
        host.access.serve_at(self.port)
        self.live = LiveImage(host, limits)
        self.listens = Event()
        """Set when the server answers."""
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop of the server, once it answers."""
        self.find_addresses: Callable[[], tuple[str, ...]] | None = None
        """Finds the addresses in the local network that are listened at; None keeps those of the beginning."""
        self._tell: Callable[[str], None] = lambda _: None
        regulars = Regulars(limits.connections_of_one)
        self._where = ServerAddress.of(addresses, self.port)
        app = guard(
            _application(host, self.live, limits, self._begins),
            host,
            self._where,
            limits,
            lambda is_meant: close_connections(self._server.server_state, is_meant),
            regulars,
        )
        self._server = _Server(
            uvicorn.Config(
                app,
                http=bounded(limits, regulars),
                ws="none",
                h11_max_incomplete_event_size=limits.head_bytes,
                proxy_headers=False,
                server_header=False,
                access_log=False,  # addresses hold secrets
                log_config=None,
                timeout_graceful_shutdown=_STOPPING_S,
            )
        )
        self._name_addresses()

    def run(self, *, open_browser: bool, tell: Callable[[str], None]) -> None:
        """Serve until it is stopped."""
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # strangers' broken requests are no news
        access, self._tell = self._host.access, tell
        tell(f"The screen: {self._host.addresses[0]}{urls.OPEN}?key={access.owner_key}")
        self._tell_addresses(self._addresses[1:])
        if open_browser and _has_windows():
            # Other programs of this computer may see what a browser is told to open: that key opens once alone.
            # No actor thread: one call that nobody waits for, and that need not return before the program ends.
            once = f"{self._host.addresses[0]}{urls.OPEN}?key={access.one_time_key()}"
            Thread(target=self._open_browser, args=(once,), daemon=True).start()
        if current_thread() is main_thread():
            # Whoever ends the program ends it as Ctrl+C does: the game is closed.
            for ending in filter(lambda each: getsignal(each) is not SIG_IGN, ENDINGS):
                signal(ending, default_int_handler)
        try:
            self._server.run(sockets=list(self._sockets))
        except KeyboardInterrupt:
            tell("The screen is closed.")

    def stop(self) -> None:
        """Stop serving, from any thread."""
        self._server.should_exit = True

    @asynccontextmanager
    async def _begins(self, _: Starlette) -> AsyncIterator[None]:
        """Tell that the server answers from now on, and follow the addresses of the computer."""
        self.loop = asyncio.get_running_loop()
        self.listens.set()
        following = asyncio.create_task(self._follow_addresses())
        yield
        following.cancel()

    async def _follow_addresses(self) -> None:
        """Listen where the computer is reached from now on, when its addresses have changed; pages show them."""
        while self.find_addresses is not None:
            await asyncio.sleep(_LOOKING_S)
            found = (HERE, *await asyncio.to_thread(self.find_addresses))
            if found == self._addresses or len(found) == 1:  # in no network for a moment
                continue
            new = tuple(each for each in found if each not in self._addresses)
            try:
                await self._server.listen(listen_at(new, self.port))
            except (InputError, OSError):  # it is not ready yet, or gone again
                _logger.info("a new address cannot be listened at", exc_info=True)
                continue
            self._server.leave({*self._addresses} - {*found})
            self._addresses = found
            self._name_addresses()
            self._host.notify_change()
            self._tell_addresses(new)

    def _name_addresses(self) -> None:
        self._where.change(self._addresses)
        self._host.addresses = tuple(f"http://{address}:{self.port}" for address in self._addresses)

    def _tell_addresses(self, addresses: Iterable[str]) -> None:
        code = f"{urls.JOIN}?code={self._host.access.code}"
        for address in addresses:
            self._tell(f"Phones join with the code on the page “Phones”, or here: http://{address}:{self.port}{code}")

    def _open_browser(self, address: str) -> None:
        self.listens.wait()
        webbrowser.open(address)


def _has_windows() -> bool:
    """Tell if a browser could show anything; one that writes into this terminal would only be in the way."""
    others = sys.platform in {"win32", "darwin"}
    return others or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _application(
    host: Host, live: LiveImage, limits: Limits, begins: Callable[[Starlette], AbstractAsyncContextManager[None]]
) -> Starlette:
    """Application behind the middlewares."""
    html_pages = HtmlPages(host, EventStreams(host, limits), partial(_not_here, host, 403))
    routes = [
        *media_routes(host, live),
        *card_photo_routes(host, limits),
        *_files(),
        Route("/", lambda request: RedirectResponse(_home(host, visitor_of(request)), 303)),
        *command_routes(host, limits),
        *card_fragment_routes(host),
        contest_preview_route(host),
        *chain.from_iterable(map(html_pages.routes, ROUTES)),
    ]
    faults = {404: lambda _request, _error: _not_here(host), 500: lambda _request, _error: _not_here(host, status=500)}
    app = Starlette(routes=routes, exception_handlers=faults, lifespan=begins)
    app.router.redirect_slashes = False  # an address has one way to be written
    return app


def _files() -> Iterator[Route]:
    """Our style sheets and scripts, each by its own name: none but those that are there when the server starts."""
    small = [Middleware(GZipMiddleware)]
    return (
        Route(f"{urls.STYLE}{path.name}", partial(_file, path), middleware=small) for path in sorted(_STYLE.iterdir())
    )


def _file(path: Path, _request: Request) -> Response:
    return FileResponse(path, headers={"cache-control": "no-cache"})


def _not_here(host: Host, status: int = 404) -> Response:
    texts = host.texts
    if status == 500:  # HTTP's own number for a fault of ours
        sentence = texts("Something went wrong in the program. Load the page once more.")
        return bare_page(texts, texts("A mistake of ours"), sentence, status, "/")
    sentence = texts("There is nothing here.") if status == 404 else texts("This page is not for this screen.")
    return bare_page(texts, texts("Not here"), sentence, status, "/")


def _home(host: Host, visitor: Visitor) -> str:
    """The page where a visitor belongs."""
    if visitor.role is Role.OWNER:
        return host.home or (urls.SETUP if host.session is None else urls.TABLE)
    return urls.JOIN if visitor.role is Role.GUEST else urls.PHONE
