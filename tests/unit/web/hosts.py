"""Hosts in this process, their visitors, and waits for changes of pages."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from inspect import isawaitable
from pathlib import Path
from threading import Condition
from types import SimpleNamespace
from typing import Any, cast

from httpx import ASGITransport, AsyncClient, Response
from starlette.types import Receive, Scope, Send

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.session.game_setup import GameSetup
from bunnymoose_cv.session.table_state import TableState
from bunnymoose_cv.web.auth.access import VISITOR, Access, Visitor
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.server.command_endpoint import COMMANDS
from tests.unit.web.openings import Openings
from tests.unit.web.states import BEGUN, PLAYERS

PATIENCE_S = 60
"""Timeout after which a test fails instead of hanging."""

NARRATOR, OTHER = PLAYERS[:2]
CHOICES = GameSetup(("Red", "Blue", "Green"), rules_for(), camera=0)


def access_in(folder: Path, *, resume: bool = False) -> Access:
    return Access.of_the_evening(AccessFile(folder / "access.json"), resume=resume)


def host_in(
    folder: Path,
    choices: GameSetup = CHOICES,
    openings: Openings | None = None,
    cameras: tuple[str, ...] = ("a camera",),
) -> Host:
    """Return a separate host, whose files are in a folder."""
    return Host(GameStore(folder / "games"), access_in(folder), choices, openings, cameras)


def host_at(folder: Path, state: TableState | None) -> Host:
    """Return the host of a game in a state, or of none."""
    host = host_in(folder, GameSetup(PLAYERS, BEGUN.rules), cameras=())
    played: Any = None if state is None else SimpleNamespace(state=state, texts=Texts())
    host.camera.session = played
    return host


def known(access: Access, cookie: str | None) -> Visitor:
    visitor = access.visitor(cookie)
    assert visitor is not None
    return visitor


def visitor_of(host: Host, player: str | None = None) -> Visitor:
    """Return the screen at the table, or the phone of a player."""
    return owner_of(host) if player is None else phone_of(host, player)


def owner_of(host: Host) -> Visitor:
    return known(host.access, host.access.become_owner(host.access.owner_key))


def guest_of(host: Host) -> Visitor:
    """Return a phone that has joined without a player."""
    return known(host.access, host.access.join(host.access.code))


def phone_of(host: Host, player: str) -> Visitor:
    cookie = host.access.join(host.access.code)
    host.access.choose(known(host.access, cookie), player)
    return known(host.access, cookie)


def parts_for(
    folder: Path, page: Callable[[Host, Visitor], HtmlPage], state: TableState | None, player: str
) -> Mapping[str, str]:
    """Return the parts of a page for the phone of a player, at a table in a state."""
    host = host_at(folder, state)
    return page(host, phone_of(host, player)).parts


def answer_of(
    app: Any, method: str, path: str, by: Visitor | None = None, *, base: str = "http://table", **request: Any
) -> Response:
    """Return the answer of an application in this process, in an event loop of its own."""
    cookies = request.pop("cookies", None)

    async def asked(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope if by is None else {**scope, VISITOR: by}, receive, send)

    async def ask() -> Response:
        transport = ASGITransport(cast("Any", asked))
        async with AsyncClient(transport=transport, base_url=base, cookies=cookies) as client:
            return await client.request(method, path, **request)

    with ThreadPoolExecutor(1) as thread:  # this thread may already run the event loop of Playwright
        return thread.submit(asyncio.run, ask()).result()


def carry_out(host: Host, visitor: Visitor, command: str, form: Mapping[str, str]) -> object:
    """Return the answer of a command once it is done."""
    answer: Any = COMMANDS[command](host, visitor, form)

    async def done() -> object:
        return await answer

    return asyncio.run(done()) if isawaitable(answer) else answer


@contextmanager
def change_waiter(host: Any) -> Iterator[Callable[[Callable[[], object]], None]]:
    """Yield a function that waits until a change of a host or session meets a condition."""
    changed = Condition()

    def notify(*_: object) -> None:
        with changed:
            changed.notify_all()

    def expect(what: Callable[[], object]) -> None:
        with changed:
            assert changed.wait_for(what, PATIENCE_S)

    unsubscribe = host.listen(notify)
    yield expect
    unsubscribe()
