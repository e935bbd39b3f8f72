"""Commands of the pages that use the camera beside a game: the check, the warm-up, the practice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.practice import practice_session
from bunnymoose_cv.session.practice.takes import Consent
from bunnymoose_cv.session.warmup import warm_up_guide
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.commands.form_command import Command
from bunnymoose_cv.web.commands.form_fields import CommandFormError, text_field
from bunnymoose_cv.web.live.open_while_watched import OPENING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.session.practice.practice_session import PracticeSession
    from bunnymoose_cv.session.table_checker import TableChecker
    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer
    from bunnymoose_cv.web.commands.form_fields import Form
    from bunnymoose_cv.web.live.host import Host


def _check(host: Host) -> TableChecker:
    return host.camera.check.require_open(OPENING)


def _warm_up(host: Host) -> WarmUpGuide:
    return host.camera.warm_up.require_open(warm_up_guide.CLOSED)


def _practice(host: Host) -> PracticeSession:
    return host.camera.practice.require_open(practice_session.CLOSED)


def _begin_warm_up(host: Host, _visitor: Visitor, form: Form) -> Answer:
    """Ask everybody for the poses, or one player."""
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
    """Keep takes, or images, from now on; or none any more."""
    return _practice(host).give_consent(Consent(takes="takes" in form, images="pictures" in form))


CHECK_COMMANDS: Final[Mapping[str, Command]] = {
    "skip-question": Command(Action.SET_UP, lambda host, *_: _check(host).skip()),
    "check-again": Command(Action.SET_UP, lambda host, *_: _check(host).again()),
}
"""By the last part of their address."""

WARM_UP_COMMANDS: Final[Mapping[str, Command]] = {
    "begin-warm-up": Command(Action.SET_UP, _begin_warm_up),
    "skip-pose": Command(Action.SET_UP, lambda host, *_: _warm_up(host).skip()),
    "leave-warm-up": Command(Action.SET_UP, lambda host, *_: _warm_up(host).leave_off()),
    "seat-players": Command(Action.SET_UP, _seat),
    "exempt-player": Command(Action.SET_UP, _exempt),
}
"""By the last part of their address."""

PRACTICE_COMMANDS: Final[Mapping[str, Command]] = {
    "another-pose": Command(Action.SET_UP, lambda host, *_: _practice(host).skip()),
    "accept-pose": Command(Action.SET_UP, lambda host, *_: _practice(host).accept_as_shown()),
    "keep-takes": Command(Action.SET_UP, _keep_takes),
    "delete-takes": Command(Action.SET_UP, lambda host, *_: _practice(host).delete_takes()),
    "open-practice": Command(Action.SET_UP, lambda host, *_: host.camera.practice.open_again()),
}
"""By the last part of their address."""
