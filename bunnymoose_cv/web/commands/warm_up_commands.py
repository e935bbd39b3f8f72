"""Commands of the warm-up page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.warmup.warm_up_guide import CLOSED
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.commands.form_command import Command
from bunnymoose_cv.web.commands.form_fields import CommandFormError, text_field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer
    from bunnymoose_cv.web.commands.form_fields import Form
    from bunnymoose_cv.web.live.host import Host


def _require_open(host: Host) -> WarmUpGuide:
    return host.camera.warm_up.require_open(CLOSED)


def _begin(host: Host, _visitor: Visitor, form: Form) -> Answer:
    """Ask everybody for the poses, or one player."""
    return _require_open(host).begin(frozenset({form["player"]} if "player" in form else ()))


def _seat(host: Host, _visitor: Visitor, form: Form) -> Answer:
    guide = _require_open(host)
    return guide.sit([player for place, player in enumerate(guide.players) if f"seat-{place}" in form])


def _exempt(host: Host, _visitor: Visitor, form: Form) -> Answer:
    guide, player = _require_open(host), text_field(form, "player")
    if player not in guide.players:
        raise CommandFormError
    return guide.exempt(player, frozenset(part for part in Exemption if part.value in form))


WARM_UP_COMMANDS: Final[Mapping[str, Command]] = {
    "begin-warm-up": Command(Action.SET_UP, _begin),
    "skip-pose": Command(Action.SET_UP, lambda host, *_: _require_open(host).skip()),
    "leave-warm-up": Command(Action.SET_UP, lambda host, *_: _require_open(host).leave_off()),
    "seat-players": Command(Action.SET_UP, _seat),
    "exempt-player": Command(Action.SET_UP, _exempt),
}
"""By the last part of their address."""
