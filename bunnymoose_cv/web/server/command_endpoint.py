"""Endpoint of the commands: POST /command/NAME takes a form of few fields (commands/registry.py).

The middlewares have checked origin and size. Done is 204, with a location where the page goes on to another one;
anything else is a status with one sentence for people.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Route

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import visitor_of
from bunnymoose_cv.web.commands.form_fields import CommandFormError
from bunnymoose_cv.web.commands.registry import COMMANDS
from bunnymoose_cv.web.server.rate_limits import TokenBucket
from bunnymoose_cv.web.server.refusals import TooFastError, TooSlowError, refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request

    from bunnymoose_cv.web.commands.form_fields import Form
    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host

_MOST_FIELDS: Final = 16


def command_routes(host: Host, limits: Limits) -> Sequence[Route]:
    """Routes of all commands."""
    endpoint = _CommandEndpoint(host, limits)
    return [Route(f"{urls.COMMANDS}{name}", endpoint.take, methods=["POST"], name=name) for name in COMMANDS]


class _CommandEndpoint:
    """Endpoint of all commands, with their rate."""

    def __init__(self, host: Host, limits: Limits) -> None:
        self._host, self._limits = host, limits
        self._rate = TokenBucket(limits.commands)

    async def take(self, request: Request) -> Response:
        """Do what a form says."""
        visitor = visitor_of(request)
        command = COMMANDS[request.scope["path"].removeprefix(urls.COMMANDS)]
        try:
            if not self._rate.allows(visitor.key):
                raise TooFastError
            answer = command(self._host, visitor, await self._form(request))
            if isinstance(answer, Future):
                await asyncio.wrap_future(answer)
            elif isinstance(answer, Awaitable):
                answer = await answer
        except InputError as error:
            return refusal(error, self._host.texts)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is there to read it
        return Response(status_code=204, headers={"location": answer} if isinstance(answer, str) else {})

    async def _form(self, request: Request) -> Form:
        try:
            async with asyncio.timeout(self._limits.command_s):
                content = await request.body()
            return dict(
                parse_qsl(content.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS, strict_parsing=True)
            )
        except TimeoutError:
            raise TooSlowError from None
        except ValueError:
            raise CommandFormError from None
