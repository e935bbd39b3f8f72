"""Commands that prepare a game: phones, the deck's enrolment, the check of the table, the warm-up and the practice."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.camera_owner import OPENING
from bunnymoose_cv.session.practice import practice
from bunnymoose_cv.session.practice.takes import Consent
from bunnymoose_cv.session.warmup import warm_up_guide
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.commands.form_command import Command, CommandFormError, card_field, number_field, text_field
from bunnymoose_cv.web.urls import JOIN, PHONE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bunnymoose_cv.session.cards.deck_enrolment import DeckEnrolment
    from bunnymoose_cv.session.practice.practice import PracticeSession
    from bunnymoose_cv.session.sources.table_checker import TableChecker
    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer, Form
    from bunnymoose_cv.web.live.host import Host


def _check(host: Host) -> TableChecker:
    return host.camera.check.require_open(OPENING)


def _warm_up(host: Host) -> WarmUpGuide:
    return host.camera.warm_up.require_open(warm_up_guide.CLOSED)


def _practice(host: Host) -> PracticeSession:
    return host.camera.practice.require_open(practice.CLOSED)


def _begin_warm_up(host: Host, _visitor: Visitor, form: Form) -> Answer:
    """Ask all players for the poses, or one player."""
    return _warm_up(host).begin(frozenset({form["player"]} if "player" in form else ()))


def _seat(host: Host, _visitor: Visitor, form: Form) -> Answer:
    guide = _warm_up(host)
    return guide.sit([player for place, player in enumerate(guide.players) if f"seat-{place}" in form])


def _exempt(host: Host, _visitor: Visitor, form: Form) -> Answer:
    guide, player = _warm_up(host), text_field(form, "player")
    if player not in guide.players:
        raise CommandFormError
    return guide.exempt(player, frozenset(part for part in Exemption if part.value in form))


def _keep_takes(host: Host, _visitor: Visitor, form: Form) -> Answer:
    """Set whether takes and images are kept from now on."""
    return _practice(host).give_consent(Consent(takes="takes" in form, images="pictures" in form))


CHECK_COMMANDS: Final[Mapping[str, Command]] = {
    "skip-question": Command(Action.SET_UP, lambda host, *_: _check(host).skip()),
    "check-again": Command(Action.SET_UP, lambda host, *_: _check(host).again()),
}

WARM_UP_COMMANDS: Final[Mapping[str, Command]] = {
    "begin-warm-up": Command(Action.SET_UP, _begin_warm_up),
    "skip-pose": Command(Action.SET_UP, lambda host, *_: _warm_up(host).skip()),
    "leave-warm-up": Command(Action.SET_UP, lambda host, *_: _warm_up(host).leave_off()),
    "seat-players": Command(Action.SET_UP, _seat),
    "exempt-player": Command(Action.SET_UP, _exempt),
}

PRACTICE_COMMANDS: Final[Mapping[str, Command]] = {
    "another-pose": Command(Action.SET_UP, lambda host, *_: _practice(host).skip()),
    "accept-pose": Command(Action.SET_UP, lambda host, *_: _practice(host).accept_as_shown()),
    "keep-takes": Command(Action.SET_UP, _keep_takes),
    "delete-takes": Command(Action.SET_UP, lambda host, *_: _practice(host).delete_takes()),
    "open-practice": Command(Action.SET_UP, lambda host, *_: host.camera.practice.reopen_if_closed()),
}


def _make_deck_command(act: Callable[[DeckEnrolment, Form], None]) -> Command:
    """Return a command about the enrolled deck. It writes files, so it runs beside the server's loop."""

    def enrol(host: Host, _visitor: Visitor, form: Form) -> Answer:
        if host.enrolment is None:
            raise InputError(Phrase("No deck can be enrolled here"))
        return asyncio.to_thread(act, host.enrolment, form)

    return Command(Action.SET_UP, enrol)


ENROL_COMMANDS: Final[Mapping[str, Command]] = {
    "name-card": _make_deck_command(
        lambda enrolment, form: enrolment.confirm(number_field(form, "number"), card_field(form))
    ),
    "turn-card": _make_deck_command(lambda enrolment, form: enrolment.turn(number_field(form, "number"))),
    "reject-card": _make_deck_command(lambda enrolment, form: enrolment.reject(number_field(form, "number"))),
    "forget-card": _make_deck_command(lambda enrolment, form: enrolment.forget(card_field(form))),
}


def _choose_player(host: Host, visitor: Visitor, form: Form) -> Answer:
    host.assign_phone(visitor, text_field(form, "player"), shares="shares" in form)
    return PHONE


def _share_close_ups(host: Host, visitor: Visitor, form: Form) -> Answer:
    host.access.share(visitor, shares=text_field(form, "shares") == "yes")
    return None


def _give_phone_back(host: Host, visitor: Visitor, _form: Form) -> Answer:
    host.give_phone_back(visitor)
    return JOIN


PHONE_COMMANDS: Final[Mapping[str, Command]] = {
    "renew-code": Command(Action.ADMIT, lambda host, *_: host.access.renew_code()),
    "remove-phone": Command(Action.ADMIT, lambda host, _, form: host.access.remove(number_field(form, "number"))),
    "choose-player": Command(Action.SEE, _choose_player),
    "share-close-ups": Command(Action.SEE, _share_close_ups),
    "give-phone-back": Command(Action.SEE, _give_phone_back),
}
