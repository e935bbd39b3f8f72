"""Commands of the check page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.commands.form_command import Command
from bunnymoose_cv.web.live.page_use import OPENING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.session.table_checker import TableChecker
    from bunnymoose_cv.web.live.host import Host


def _require_open(host: Host) -> TableChecker:
    return host.camera.check.require_open(OPENING)


CHECK_COMMANDS: Final[Mapping[str, Command]] = {
    "skip-question": Command(Action.SET_UP, lambda host, *_: _require_open(host).skip()),
    "check-again": Command(Action.SET_UP, lambda host, *_: _require_open(host).again()),
}
"""By the last part of their address."""
