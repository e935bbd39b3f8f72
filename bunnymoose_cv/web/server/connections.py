"""Bounded connections: their number, the time until a request is complete, and closing them.

Connections make room for later ones, silent ones first: those of an address that has very many, then those of
strangers. The owner's make room for nobody, nor do those of strangers on this computer, of whom few are let in: so
neither a program that shares the owner's address nor a guest with many connections locks the owner out.
"""

from __future__ import annotations

import select
from collections import Counter
from typing import TYPE_CHECKING, Final, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bunnymoose_cv.web.auth.access import Role
from bunnymoose_cv.web.server.request_kinds import is_loopback

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence
    from typing import Any

    from uvicorn.server import ServerState

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.limits import Limits

_HERE: Final = "here"


class Regulars:
    """Connections of known visitors, by address and port of the other side.

    Args:
        most: connections of one visitor; further ones count as a stranger's.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._visitors: dict[tuple[str, int], Visitor] = {}

    def add(self, client: tuple[str, int], visitor: Visitor) -> None:
        """Note a connection of a known visitor."""
        if sum(each.key == visitor.key for each in self._visitors.values()) < self._most:
            self._visitors[client] = visitor

    def remove(self, client: tuple[str, int]) -> None:
        """Forget a closed connection."""
        self._visitors.pop(client, None)

    def forget(self, is_known: Callable[[str], bool]) -> None:
        """Treat visitors who are known no more as strangers."""
        self._visitors = {client: each for client, each in self._visitors.items() if is_known(each.key)}

    def role(self, client: tuple[str, int]) -> Role | None:
        """Return the role of the visitor at the other side; None for a stranger."""
        visitor = self._visitors.get(client)
        return None if visitor is None else visitor.role


class BoundedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, for whoever keeps to the limits."""

    limits: Limits
    regulars: Regulars
    """Of the server; `bounded` says which."""

    _deadline: asyncio.TimerHandle | None = None
    since_s = 0.0
    """Start time, on the clock of the loop."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection; of those that are too many one is sent away without a word."""
        super().connection_made(transport)
        self.since_s = self.loop.time()
        self._await_head()
        others = [each for each in self.connections if isinstance(each, BoundedProtocol) and each is not self]
        from_there = [each for each in others if each.is_strange and each.place == self.place]
        if len(from_there) >= self.limits.connections_of_one:
            _least_wanted(from_there).transport.abort()
        elif len(self.connections) > self.limits.connections:
            _least_wanted(self._yielding(others) or [self]).transport.abort()

    def _yielding(self, others: Sequence[BoundedProtocol]) -> Sequence[BoundedProtocol]:
        """Connections of which one makes room when all are taken: of a place that has very many, else of strangers."""
        guests = [each for each in others if not each.has_precedence and not each.transport.is_closing()]
        numbers = Counter(each.place for each in guests)
        largest = [each for each in guests if numbers[each.place] == max(numbers.values())]
        if len(largest) > self.limits.connections_of_one // 2:
            return largest
        return [each for each in guests if each.is_strange] or largest

    @property
    def place(self) -> str:
        """Address of the other side; one for everything that comes from this computer."""
        return _HERE if is_loopback(self.server) else _comes_from(self)[0]

    @property
    def is_strange(self) -> bool:
        """Return whether no known visitor has asked for anything through it."""
        return not self.transport.is_closing() and self.regulars.role(_comes_from(self)) is None

    @property
    def has_precedence(self) -> bool:
        """Return whether it is the owner's, or may become so: a stranger's on this computer, of whom few are let in."""
        role = self.regulars.role(_comes_from(self))
        return role is Role.OWNER or (role is None and self.place == _HERE)

    def data_received(self, data: bytes) -> None:
        """Take data; a client that does not get to the end of a request's head in time is sent away."""
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
    """The protocol of a server with these limits and known visitors."""
    return type("BoundedProtocol", (BoundedProtocol,), {"limits": limits, "regulars": regulars})


def _least_wanted(strangers: Sequence[BoundedProtocol]) -> BoundedProtocol:
    """The oldest of those who say nothing; where all say something, the oldest."""
    sockets = {each.transport.get_extra_info("socket"): each for each in strangers}
    speaking, _, _ = select.select(list(sockets), [], [], 0)
    silent = [each for socket, each in sockets.items() if socket not in speaking]
    return min(silent or strangers, key=lambda each: each.since_s)


def close_connections(state: ServerState, is_meant: Callable[[tuple[str, int]], bool]) -> None:
    """End connections at once, whatever goes through them.

    Args:
        is_meant: tells by address and port of the other side which.
    """
    for connection in tuple(state.connections):
        if is_meant(_comes_from(connection)):
            cast("Any", connection).transport.abort()


def _comes_from(connection: object) -> tuple[str, int]:
    """Address and port of the other side; uvicorn's protocols have them in a field and no class in common."""
    return cast("Any", connection).client or ("", 0)
