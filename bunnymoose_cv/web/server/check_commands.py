"""Commands of the check page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.server.command_form import expect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.session.table_checker import TableChecker
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.server.command_form import Command


def _checker(host: Host, visitor: Visitor) -> TableChecker:
    """The check that is open.

    Raises:
        InputError: none is, or the visitor may not set anything up.
    """
    expect(visitor, Action.SET_UP)
    if host.camera.checker is None:
        raise InputError(Phrase("One moment: the camera is being opened."))
    return host.camera.checker


CHECK_COMMANDS: Final[Mapping[str, Command]] = {
    "skip-question": lambda host, visitor, _: _checker(host, visitor).skip(),
    "check-again": lambda host, visitor, _: _checker(host, visitor).again(),
}
"""By the last part of their address."""
