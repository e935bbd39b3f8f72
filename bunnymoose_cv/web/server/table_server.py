"""Server of the table screen: its application, its addresses, start and stop."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import webbrowser
from contextlib import asynccontextmanager
from functools import partial
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
from bunnymoose_cv.web.auth.access import visitor_of
from bunnymoose_cv.web.auth.permissions import Role
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live.live_image import LiveImage
from bunnymoose_cv.web.server.addresses import HERE, ServerAddress, addresses_of_this_computer, listen_at
from bunnymoose_cv.web.server.card_photos import card_photo_routes
from bunnymoose_cv.web.server.command_endpoint import command_routes
from bunnymoose_cv.web.server.connections import Regulars, bounded, close_connections
from bunnymoose_cv.web.server.fragments import fragment_routes
from bunnymoose_cv.web.server.html_pages import page_routes
from bunnymoose_cv.web.server.media import media_routes
from bunnymoose_cv.web.server.middleware.stack import guard
from bunnymoose_cv.web.server.refusals import bare_page

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
"""Interval of checks whether the computer has another address."""

_STOPPING_S: Final = 2
"""Timeout of unfinished answers when the server is stopped."""


def serve(host: Host, *, lan: bool, port: int) -> None:
    """Serve the screen until it is stopped: by Ctrl+C or the end of the program.

    Args:
        lan: whether phones in the same network may join; otherwise the server listens on the loopback address alone.
        port: 0 takes a free one, after a restart the same again.

    Raises:
        InputError: the port is taken, or this computer is in no network.
    """
    addresses = (HERE, *(addresses_of_this_computer() if lan else ()))
    if lan and len(addresses) == 1:
        raise InputError("This computer is in no local network: join one, or play without --lan.")

    def notify(sentence: str) -> None:
        print(sentence, file=sys.stderr)  # noqa: T201 - progress

    server = open_server(host, addresses, port, Limits(), notify)
    if lan:
        server.find_addresses = addresses_of_this_computer
    server.run(open_browser=True, notify=notify)


def open_server(
    host: Host, addresses: tuple[str, ...], port: int, limits: Limits, notify: Callable[[str], None]
) -> TableServer:
    """Return a server on a port; for port 0 on that where open pages of this evening look for it, if it is free."""
    before = host.access.port
    if port or not before:
        return TableServer(host, addresses, port, limits)
    try:
        return TableServer(host, addresses, before, limits)
    except InputError:
        notify(f"Port {before}, where this evening was, is taken: let phones join again, with the code on “Phones”.")
        return TableServer(host, addresses, 0, limits)


class _Server(uvicorn.Server):
    """uvicorn server that closes all connections when it is stopped: live images have no end, and pages reconnect."""

    async def listen(self, sockets: Iterable[socket.socket]) -> None:
        """Listen on further sockets while the server runs."""
        loop, protocol = asyncio.get_running_loop(), cast("Any", self.config.http_protocol_class)
        make_protocol = partial(protocol, self.config, self.server_state, self.lifespan.state)
        self.servers += [await loop.create_server(make_protocol, sock=listening) for listening in sockets]

    def leave(self, addresses: Container[str]) -> None:
        """Stop listening at addresses."""
        for server in self.servers:
            if any(listening.getsockname()[0] in addresses for listening in server.sockets):
                server.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        close_connections(self.server_state, lambda _: True)
        await super().shutdown(sockets)


class TableServer:
    """HTTP server of the table screen, which listens from its creation and answers in `run`.

    The first of its addresses is the loopback address.
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
        """Returns the current addresses in the local network; None if the addresses never change."""
        self._notify: Callable[[str], None] = lambda _: None
        regulars = Regulars(limits.connections_of_one)
        self._where = ServerAddress(self.port)
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

    def run(self, *, open_browser: bool, notify: Callable[[str], None]) -> None:
        """Serve until `stop` is called or a signal arrives."""
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # malformed requests are not worth a message
        access, self._notify = self._host.access, notify
        notify(f"The screen: {self._host.addresses[0]}{urls.OPEN}?key={access.owner_key}")
        self._announce_addresses(self._addresses[1:])
        if open_browser and _has_windows():
            # Other programs on this computer may see the address, so its key is valid only once.
            # No actor thread: the call is never awaited, and need not return before the program ends.
            once = f"{self._host.addresses[0]}{urls.OPEN}?key={access.one_time_key()}"
            Thread(target=self._open_browser, args=(once,), daemon=True).start()
        if current_thread() is main_thread():
            # Every signal that ends the program acts like Ctrl+C, so that the game is closed.
            for ending in filter(lambda number: getsignal(number) is not SIG_IGN, ENDINGS):
                signal(ending, default_int_handler)
        try:
            self._server.run(sockets=list(self._sockets))
        except KeyboardInterrupt:
            notify("The screen is closed.")

    def stop(self) -> None:
        """Stop serving, from any thread."""
        self._server.should_exit = True

    @asynccontextmanager
    async def _begins(self, _: Starlette) -> AsyncIterator[None]:
        """Set `listens`, and follow the addresses of the computer while the server runs."""
        self.loop = asyncio.get_running_loop()
        self.listens.set()
        following = asyncio.create_task(self._follow_addresses())
        yield
        following.cancel()

    async def _follow_addresses(self) -> None:
        """Listen at the computer's new addresses when they change; pages show them."""
        while self.find_addresses is not None:
            await asyncio.sleep(_LOOKING_S)
            found = (HERE, *await asyncio.to_thread(self.find_addresses))
            if found == self._addresses or len(found) == 1:  # without a network for a moment
                continue
            new = tuple(address for address in found if address not in self._addresses)
            try:
                await self._server.listen(listen_at(new, self.port))
            except (InputError, OSError):  # the address is not ready yet, or gone again
                _logger.info("a new address cannot be listened at", exc_info=True)
                continue
            self._server.leave({*self._addresses} - {*found})
            self._addresses = found
            self._name_addresses()
            self._host.notify_change()
            self._announce_addresses(new)

    def _name_addresses(self) -> None:
        self._where.change(self._addresses)
        self._host.addresses = tuple(f"http://{address}:{self.port}" for address in self._addresses)

    def _announce_addresses(self, addresses: Iterable[str]) -> None:
        code = f"{urls.JOIN}?code={self._host.access.code}"
        for address in addresses:
            self._notify(f"Phones join with the code on the page “Phones”, or here: http://{address}:{self.port}{code}")

    def _open_browser(self, address: str) -> None:
        self.listens.wait()
        webbrowser.open(address)


def _has_windows() -> bool:
    """Return whether a browser with windows can be opened; one in this terminal would be in the way."""
    return sys.platform in {"win32", "darwin"} or not {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"}.isdisjoint(os.environ)


def _application(
    host: Host, live: LiveImage, limits: Limits, begins: Callable[[Starlette], AbstractAsyncContextManager[None]]
) -> Starlette:
    routes = [
        *media_routes(host, live),
        *card_photo_routes(host, limits),
        *_files(),
        Route("/", lambda request: RedirectResponse(_home(host, visitor_of(request)), 303)),
        *command_routes(host, limits),
        *fragment_routes(host),
        *page_routes(host, limits, partial(_not_here, host, 403)),
    ]
    faults = {404: lambda _request, _error: _not_here(host), 500: lambda _request, _error: _not_here(host, status=500)}
    app = Starlette(routes=routes, exception_handlers=faults, lifespan=begins)
    app.router.redirect_slashes = False  # each page has exactly one address
    return app


def _files() -> Iterator[Route]:
    """Return the routes of our style sheets and scripts, fixed when the server starts."""

    def send(path: Path, _request: Request) -> Response:
        return FileResponse(path, headers={"cache-control": "no-cache"})

    small = [Middleware(GZipMiddleware)]
    return (
        Route(f"{urls.STYLE}{path.name}", partial(send, path), middleware=small) for path in sorted(_STYLE.iterdir())
    )


def _not_here(host: Host, status: int = 404) -> Response:
    texts = host.texts
    if status == 500:  # HTTP's status for an internal error
        sentence = texts("Something went wrong in the program. Reload the page.")
        return bare_page(texts, texts("A mistake of ours"), sentence, status, "/")
    sentence = texts("There is nothing here.") if status == 404 else texts("This page is not for this screen.")
    return bare_page(texts, texts("Not here"), sentence, status, "/")


def _home(host: Host, visitor: Visitor) -> str:
    if visitor.role is Role.OWNER:
        return host.home or (urls.SETUP if host.session is None else urls.TABLE)
    return urls.JOIN if visitor.role is Role.GUEST else urls.PHONE
