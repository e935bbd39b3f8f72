"""Commands of all pages by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.web.commands.correction_commands import CORRECTION_COMMANDS
from bunnymoose_cv.web.commands.enrol_commands import ENROL_COMMANDS
from bunnymoose_cv.web.commands.evening_commands import EVENING_COMMANDS
from bunnymoose_cv.web.commands.phone_commands import PHONE_COMMANDS
from bunnymoose_cv.web.commands.preparation_commands import CHECK_COMMANDS, PRACTICE_COMMANDS, WARM_UP_COMMANDS
from bunnymoose_cv.web.commands.round_commands import ROUND_COMMANDS
from bunnymoose_cv.web.commands.setup_commands import SETUP_COMMANDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.web.commands.form_command import Command

COMMANDS: Final[Mapping[str, Command]] = {
    **PHONE_COMMANDS,
    **ROUND_COMMANDS,
    **CORRECTION_COMMANDS,
    **SETUP_COMMANDS,
    **WARM_UP_COMMANDS,
    **PRACTICE_COMMANDS,
    **ENROL_COMMANDS,
    **EVENING_COMMANDS,
    **CHECK_COMMANDS,
}
"""By the last part of their address."""
