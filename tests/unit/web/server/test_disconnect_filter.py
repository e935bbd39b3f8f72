"""A page that is left before it came is no fault; one that does not come for another reason is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.responses import PlainTextResponse

from bunnymoose_cv.web.server.disconnect_filter import DisconnectFilter

if TYPE_CHECKING:
    from starlette.middleware.base import RequestResponseEndpoint
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUEST = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}


async def hand_on(request: Request, call_next: RequestResponseEndpoint) -> Response:
    return await call_next(request)


async def says_nothing(_scope: Scope, _receive: Receive, _send: Send) -> None:
    """Act as a page whose reader has gone."""


async def breaks(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise RuntimeError("the roof is on fire")


def ask(app: ASGIApp, *, gone: bool) -> list[Message]:
    """Ask somebody for a page, and perhaps leave at once; tells what came."""
    came: list[Message] = []

    async def asked() -> None:
        said = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Message:
            first = next(said, None)
            if first is None and not gone:
                await asyncio.Event().wait()
            return first or {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            came.append(message)

        await DisconnectFilter(BaseHTTPMiddleware(app, hand_on))(dict(REQUEST), receive, send)

    asyncio.run(asked())
    return came


def test_whoever_has_left_is_owed_no_answer() -> None:
    assert ask(says_nothing, gone=True) == []


@pytest.mark.parametrize("gone", [True, False])
def test_a_fault_is_told(*, gone: bool) -> None:
    with pytest.raises(RuntimeError, match="on fire"):
        ask(breaks, gone=gone)


def test_no_answer_for_somebody_who_waits_is_a_fault() -> None:
    with pytest.raises(RuntimeError, match="No response"):
        ask(says_nothing, gone=False)


def test_who_waits_is_answered() -> None:
    assert next(each["type"] for each in ask(PlainTextResponse("here"), gone=False)) == "http.response.start"
