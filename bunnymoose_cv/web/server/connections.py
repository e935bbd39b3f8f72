"""Bounded connections: their number, the time until a request is complete, and closing them.

Who is not known yet makes room for who comes later, silent ones first: so a program that shares the owner's address and
opens all connections that it may have locks nobody out.
"""

from __future__ import annotations

import select
from typing import TYPE_CHECKING, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence
    from typing import Any

    from uvicorn.server import ServerState

    from bunnymoose_cv.web.limits import Limits


class Regulars:
    """Connections of known visitors, by address and port of the other side.

    Args:
        most: connections of one visitor; further ones count as a stranger's.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._keys: dict[tuple[str, int], str] = {}

    def add(self, client: tuple[str, int], key: str) -> None:
        """Note a connection of a known visitor."""
        if sum(each == key for each in self._keys.values()) < self._most:
            self._keys[client] = key

    def remove(self, client: tuple[str, int]) -> None:
        """Forget a closed connection."""
        self._keys.pop(client, None)

    def forget(self, is_known: Callable[[str], bool]) -> None:
        """Treat visitors who are known no more as strangers."""
        self._keys = {client: key for client, key in self._keys.items() if is_known(key)}

    def __contains__(self, client: object) -> bool:
        return client in self._keys


class BoundedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, for whoever keeps to the limits."""

    limits: Limits
    regulars: Regulars
    """Of the server; `bounded` says which."""

    _deadline: asyncio.TimerHandle | None = None
    since_s = 0.0
    """Start time, on the clock of the loop."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection; of strangers who are too many one is sent away without a word."""
        super().connection_made(transport)
        self.since_s = self.loop.time()
        self._await_head()
        others = [each for each in self.connections if isinstance(each, BoundedProtocol) and each is not self]
        strangers = [each for each in others if each.is_strange]
        from_there = [each for each in strangers if _comes_from(each)[0] == _comes_from(self)[0]]
        if len(from_there) >= self.limits.connections_of_one:
            _least_wanted(from_there).transport.abort()
        elif len(self.connections) > self.limits.connections:
            _least_wanted(strangers or [self]).transport.abort()

    @property
    def is_strange(self) -> bool:
        """True while no known visitor has asked for anything through it."""
        return not self.transport.is_closing() and _comes_from(self) not in self.regulars

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
