"""Middleware stack in front of an application: admitted visitors, refused requests, and headers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from starlette.responses import PlainTextResponse

from bunnymoose_cv.web.auth.access import VISITOR
from bunnymoose_cv.web.auth.permissions import Role
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.server.addresses import HERE, ServerAddress
from bunnymoose_cv.web.server.connections import Regulars
from bunnymoose_cv.web.server.middleware.stack import guard
from tests.unit.web.hosts import answer_of, guest_of, host_in, owner_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from httpx import Response
    from starlette.types import Receive, Scope, Send

WHERE = ServerAddress(8642)
WHERE.change((HERE, "10.0.0.7"))
FORM = {"Origin": f"http://{HERE}:8642"}


class Table:
    """Guarded application that answers with a status and records its requests."""

    def __init__(self, folder: Path, limits: Limits, status: int = 200) -> None:
        self.host = host_in(folder)
        access = self.host.access
        self.asked: list[Scope] = []
        self.ended: list[Callable[[tuple[str, int]], bool]] = []
        self.during: Callable[[], None] = lambda: None
        self._status = status
        self._cookie = access.become_owner(access.owner_key) or ""
        self._app = guard(self._answer, self.host, WHERE, limits, self.ended.append, Regulars(8))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.append(scope)
        self.during()
        await PlainTextResponse("seen", self._status)(scope, receive, send)

    def ask(self, path: str, method: str = "GET", *, at: str = HERE, owner: bool = True, **request: Any) -> Response:
        """Return the answer to a browser of this computer, or of another one in the network."""
        cookies = {WHERE.cookie: self._cookie} if owner else {}
        return answer_of(self._app, method, path, base=f"http://{at}:8642", cookies=cookies, **request)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path, Limits())


def test_requests_of_known_visitors_pass_without_proxy_headers(table: Table) -> None:
    answer = table.ask("/table", headers={"X-Forwarded-Host": "elsewhere", "X-Own": "kept"})
    assert (answer.status_code, answer.text) == (200, "seen")
    (scope,) = table.asked
    assert scope[VISITOR].name == "screen"
    names = {name for name, _ in scope["headers"]}
    assert b"x-own" in names
    assert not any(name.startswith(b"x-forwarded") for name in names)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ({"path": "/table", "owner": False}, 403),
        ({"path": "/table", "at": "10.0.0.7"}, 403),
        ({"path": "/table", "headers": {"Host": "elsewhere:8642"}}, 421),
        ({"path": "/table", "method": "PUT"}, 405),
        ({"path": "/command/bam", "method": "POST", "content": "by=key"}, 403),
        ({"path": "/command/bam", "method": "POST", "headers": FORM}, 413),
        ({"path": "/command/bam", "method": "POST", "headers": FORM, "content": "x" * 3000}, 413),
        ({"path": "/table", "headers": {"Content-Length": "5"}}, 413),
        ({"path": "/table?" + "x" * 3000}, 414),
        ({"path": "/table", "headers": {"X-Long": "x" * 20_000}}, 431),
    ],
)
def test_refused_requests_never_reach_the_application(table: Table, request_: dict[str, Any], status: int) -> None:
    assert table.ask(**request_).status_code == status
    assert table.asked == []


@pytest.mark.parametrize("status", [200, 404, 500])
def test_every_answer_has_the_security_headers(tmp_path: Path, status: int) -> None:
    answer = Table(tmp_path, Limits(), status).ask("/table")
    assert answer.status_code == status
    assert answer.headers["x-frame-options"] == "DENY"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"


def test_the_owners_key_becomes_a_cookie_here_alone(table: Table) -> None:
    way = f"/open?key={table.host.access.one_time_key()}"
    assert table.ask(way, owner=False, at="10.0.0.7").status_code == 403
    answer = table.ask(way, owner=False)
    assert answer.status_code == 200
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert table.ask(way, owner=False).status_code == 403, "once"
    assert table.asked == []


def test_connections_of_a_removed_visitor_are_closed(table: Table) -> None:
    table.during = table.host.access.begin_evening
    table.ask("/table")
    (is_meant,) = table.ended
    assert is_meant(tuple(table.asked[0]["client"]))


def test_a_visitor_who_comes_in_while_others_are_forgotten_stays_known(tmp_path: Path) -> None:
    """Simulate the begin of a game, which checks the visitors on another thread than the server's."""
    host, regulars = host_in(tmp_path), Regulars(8)
    owner, guest = owner_of(host), guest_of(host)
    regulars.add(("10.0.0.8", 1), guest)

    def is_known(key: str) -> bool:
        regulars.add((HERE, 2), owner)
        return key != guest.key

    regulars.forget(is_known)
    assert (regulars.role(("10.0.0.8", 1)), regulars.role((HERE, 2))) == (None, Role.OWNER)
