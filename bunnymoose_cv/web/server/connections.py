"""Bounded connections: their number, the time until a request is complete, and closing them.

When all connections are taken, a later one replaces another, silent ones first: one of an address that has very many,
otherwise one of a stranger. Connections of the owner are never replaced, nor are the few of strangers on this computer.
So neither a program that shares the owner's address nor a guest with many connections can lock the owner out.
"""

from __future__ import annotations

import select
from collections import Counter
from typing import TYPE_CHECKING, Final, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bunnymoose_cv.web.auth.permissions import Role
from bunnymoose_cv.web.server.middleware.protection import is_loopback

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence
    from typing import Any

    from uvicorn.server import ServerState

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.limits import Limits

_HERE: Final = "here"


class Regulars:
    """Connections of known visitors, by address and port of the other side; beyond `most` of one, a stranger's."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._visitors: dict[tuple[str, int], Visitor] = {}

    def add(self, client: tuple[str, int], visitor: Visitor) -> None:
        """Register a connection of a known visitor."""
        if sum(known.key == visitor.key for known in self._visitors.values()) < self._most:
            self._visitors[client] = visitor

    def remove(self, client: tuple[str, int]) -> None:
        """Forget a closed connection."""
        self._visitors.pop(client, None)

    def forget(self, is_known: Callable[[str], bool]) -> None:
        """Treat visitors who are no longer known as strangers."""
        for client, visitor in tuple(self._visitors.items()):  # a new game, on its own thread, renames players
            if not is_known(visitor.key):
                self.remove(client)

    def role(self, client: tuple[str, int]) -> Role | None:
        """Return the role of the visitor at the other side, or None for a stranger."""
        visitor = self._visitors.get(client)
        return None if visitor is None else visitor.role


class BoundedProtocol(H11Protocol):
    """HTTP protocol of uvicorn, bounded by our limits."""

    limits: Limits
    regulars: Regulars
    """Limits and known visitors of the server, set by `bounded`."""

    _deadline: asyncio.TimerHandle | None = None
    since_s = 0.0
    """Start time, on the clock of the loop."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection; if there are too many, one is aborted."""
        super().connection_made(transport)
        self.since_s = self.loop.time()
        self._await_head()
        others = [other for other in self.connections if isinstance(other, BoundedProtocol) and other is not self]
        from_there = [other for other in others if other.is_strange and other.place == self.place]
        if len(from_there) >= self.limits.connections_of_one:
            _least_wanted(from_there).transport.abort()
        elif len(self.connections) > self.limits.connections:
            _least_wanted(self._yielding(others) or [self]).transport.abort()

    def _yielding(self, others: Sequence[BoundedProtocol]) -> Sequence[BoundedProtocol]:
        """Return the connections that may be replaced: of a place with very many, otherwise of strangers."""
        guests = [other for other in others if not other.has_precedence and not other.transport.is_closing()]
        numbers = Counter(guest.place for guest in guests)
        largest = [guest for guest in guests if numbers[guest.place] == max(numbers.values())]
        if len(largest) > self.limits.connections_of_one // 2:
            return largest
        return [guest for guest in guests if guest.is_strange] or largest

    @property
    def place(self) -> str:
        """Return the address of the other side; all connections from this computer have the same."""
        return _HERE if is_loopback(self.server) else _comes_from(self)[0]

    @property
    def is_strange(self) -> bool:
        """Return whether no known visitor has sent a request through it."""
        return not self.transport.is_closing() and self.regulars.role(_comes_from(self)) is None

    @property
    def has_precedence(self) -> bool:
        """Return whether it is the owner's, or a stranger's on this computer, who may become the owner."""
        role = self.regulars.role(_comes_from(self))
        return role is Role.OWNER or (role is None and self.place == _HERE)

    def data_received(self, data: bytes) -> None:
        """Receive data; a client that does not complete a request's head in time is disconnected."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._await_head()
        else:
            self._rest()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a closed connection."""
        self._rest()
        self.regulars.remove(_comes_from(self))
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.limits.head_s, self.transport.abort)

    def _rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def bounded(limits: Limits, regulars: Regulars) -> type[BoundedProtocol]:
    """Return the protocol for a server with these limits and known visitors."""
    return type("BoundedProtocol", (BoundedProtocol,), {"limits": limits, "regulars": regulars})


def _least_wanted(strangers: Sequence[BoundedProtocol]) -> BoundedProtocol:
    """Return the oldest silent connection, or the oldest if all have sent something."""
    sockets = {stranger.transport.get_extra_info("socket"): stranger for stranger in strangers}
    speaking, _, _ = select.select(list(sockets), [], [], 0)
    silent = [stranger for socket, stranger in sockets.items() if socket not in speaking]
    return min(silent or strangers, key=lambda stranger: stranger.since_s)


def close_connections(state: ServerState, is_meant: Callable[[tuple[str, int]], bool]) -> None:
    """Abort the connections with the meant addresses and ports of the other side, even in the middle of an answer."""
    for connection in tuple(state.connections):
        if is_meant(_comes_from(connection)):
            cast("Any", connection).transport.abort()


def _comes_from(connection: object) -> tuple[str, int]:
    """Return the address and port of the other side; uvicorn's protocols have this field, but not a common class."""
    return cast("Any", connection).client or ("", 0)
