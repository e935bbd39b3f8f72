"""Bounded connections: their number, the time until a request is complete, and closing them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from typing import Any

    from uvicorn.server import ServerState

    from bunnymoose_cv.web.server.rate_limits import Limits


class BoundedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, for whoever keeps to the limits."""

    limits: Limits
    """Of the server; `bounded` says which."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody comes; one too many is sent away without a word."""
        super().connection_made(transport)
        from_there = sum(_comes_from(each)[0] == _comes_from(self)[0] for each in self.connections)
        if len(self.connections) > self.limits.connections or from_there > self.limits.connections_of_one:
            transport.abort()
            return
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Something comes; whoever does not get to the end of a request's head in time is sent away."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._await_head()
        else:
            self._rest()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has gone."""
        self._rest()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.limits.head_s, self.transport.abort)

    def _rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def bounded(limits: Limits) -> type[BoundedProtocol]:
    """The protocol of a server with these limits."""
    return type("BoundedProtocol", (BoundedProtocol,), {"limits": limits})


def close_connections(state: ServerState, is_meant: Callable[[tuple[str, int]], bool]) -> None:
    """End connections at once, whatever goes through them.

    Args:
        state: of the server.
        is_meant: tells by address and port of the other side which.
    """
    for connection in tuple(state.connections):
        if is_meant(_comes_from(connection)):
            cast("Any", connection).transport.abort()


def _comes_from(connection: object) -> tuple[str, int]:
    """Address and port of the other side; uvicorn's protocols have them in a field and no class in common."""
    return cast("Any", connection).client or ("", 0)
