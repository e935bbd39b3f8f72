"""Commands of the phones: whose a phone is, which phones may stay, and the code that lets them in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.commands.form_command import Command
from bunnymoose_cv.web.commands.form_fields import number_field, text_field
from bunnymoose_cv.web.live.phone_assignment import assign_phone, give_phone_back
from bunnymoose_cv.web.urls import JOIN, PHONE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer
    from bunnymoose_cv.web.commands.form_fields import Form
    from bunnymoose_cv.web.live.host import Host


def _choose_player(host: Host, visitor: Visitor, form: Form) -> Answer:
    assign_phone(host, visitor, text_field(form, "player"))
    return PHONE


def _give_phone_back(host: Host, visitor: Visitor, _form: Form) -> Answer:
    give_phone_back(host, visitor)
    return JOIN


PHONE_COMMANDS: Final[Mapping[str, Command]] = {
    "renew-code": Command(Action.ADMIT, lambda host, *_: host.access.renew_code()),
    "remove-phone": Command(Action.ADMIT, lambda host, _, form: host.access.remove(number_field(form, "number"))),
    "choose-player": Command(Action.SEE, _choose_player),
    "give-phone-back": Command(Action.SEE, _give_phone_back),
}
"""By the last part of their address."""
