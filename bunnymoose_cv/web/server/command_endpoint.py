"""Endpoint of all commands: POST /command/NAME takes a form of few fields.

The middlewares have checked origin and size. Success is 204, with a location if the page goes on to another one;
anything else is a status with one sentence for people.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Route

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import visitor_of
from bunnymoose_cv.web.commands.evening_commands import EVENING_COMMANDS
from bunnymoose_cv.web.commands.form_command import CommandFormError
from bunnymoose_cv.web.commands.preparation_commands import (
    CHECK_COMMANDS,
    ENROL_COMMANDS,
    PHONE_COMMANDS,
    PRACTICE_COMMANDS,
    WARM_UP_COMMANDS,
)
from bunnymoose_cv.web.commands.round_commands import ROUND_COMMANDS
from bunnymoose_cv.web.commands.setup_commands import SETUP_COMMANDS
from bunnymoose_cv.web.limits import TokenBucket
from bunnymoose_cv.web.server.refusals import StatusError, refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request

    from bunnymoose_cv.web.commands.form_command import Command, Form
    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host


COMMANDS: Final[Mapping[str, Command]] = {
    **PHONE_COMMANDS,
    **ROUND_COMMANDS,
    **SETUP_COMMANDS,
    **WARM_UP_COMMANDS,
    **PRACTICE_COMMANDS,
    **ENROL_COMMANDS,
    **EVENING_COMMANDS,
    **CHECK_COMMANDS,
}
"""All commands by the last part of their address."""

_MOST_FIELDS: Final = 16


def command_routes(host: Host, limits: Limits) -> Sequence[Route]:
    """Return the routes of all commands."""
    rate = TokenBucket(limits.commands)

    async def take(command: Command, request: Request) -> Response:
        visitor = visitor_of(request)
        try:
            if not rate.allows(visitor.key):
                raise StatusError(429, Phrase("Wait a moment and try again."))
            answer = command(host, visitor, await _read_form(request, limits.command_s))
            if isinstance(answer, Future):
                await asyncio.wrap_future(answer)
            elif isinstance(answer, Awaitable):
                answer = await answer
        except InputError as error:
            return refusal(error, host.texts)
        except ClientDisconnect:
            return Response(status_code=400)  # the client is gone
        return Response(status_code=204, headers={"location": answer} if isinstance(answer, str) else {})

    return [
        Route(f"{urls.COMMANDS}{name}", partial(take, command), methods=["POST"], name=name)
        for name, command in COMMANDS.items()
    ]


async def _read_form(request: Request, within_s: float) -> Form:
    try:
        async with asyncio.timeout(within_s):
            content = await request.body()
        return dict(
            parse_qsl(content.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS, strict_parsing=True)
        )
    except TimeoutError:
        raise StatusError(408, Phrase("The table does not answer: try again.")) from None
    except ValueError:
        raise CommandFormError from None
