"""Commands of the enrolment page: say of a photographed card which one it is, turn it, leave it out, forget a face."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.commands.form_command import Command
from bunnymoose_cv.web.commands.form_fields import card_field, number_field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bunnymoose_cv.session.deck_enrolment import DeckEnrolment
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer
    from bunnymoose_cv.web.commands.form_fields import Form
    from bunnymoose_cv.web.live.host import Host


def _make_deck_command(act: Callable[[DeckEnrolment, Form], None]) -> Command:
    """Make a command about the deck that is enrolled; what it does is kept, so not on the server's loop."""

    def enrol(host: Host, _visitor: Visitor, form: Form) -> Answer:
        if host.enrolment is None:
            raise InputError(Phrase("No deck can be enrolled here"))
        return asyncio.to_thread(act, host.enrolment, form)

    return Command(Action.SET_UP, enrol)


def _name(enrolment: DeckEnrolment, form: Form) -> None:
    enrolment.confirm(number_field(form, "number"), card_field(form))


def _turn(enrolment: DeckEnrolment, form: Form) -> None:
    enrolment.turn(number_field(form, "number"))


def _reject(enrolment: DeckEnrolment, form: Form) -> None:
    enrolment.reject(number_field(form, "number"))


def _forget(enrolment: DeckEnrolment, form: Form) -> None:
    enrolment.forget(card_field(form))


ENROL_COMMANDS: Final[Mapping[str, Command]] = {
    "name-card": _make_deck_command(_name),
    "turn-card": _make_deck_command(_turn),
    "reject-card": _make_deck_command(_reject),
    "forget-card": _make_deck_command(_forget),
}
"""By the last part of their address."""
