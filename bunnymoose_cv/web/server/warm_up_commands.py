"""Commands of the warm-up page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.warmup.warm_up_guide import CLOSED
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.server.command_form import CommandFormError, expect, text_field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.server.command_form import Answer, Command, Form


def _guide(host: Host, visitor: Visitor) -> WarmUpGuide:
    """The warm-up that is open.

    Raises:
        InputError: none is, or the visitor may not set anything up.
    """
    expect(visitor, Action.SET_UP)
    if host.camera.guide is None:
        raise InputError(CLOSED)
    return host.camera.guide


def _begin(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Ask everybody for the poses, or one player."""
    return _guide(host, visitor).begin(frozenset({form["player"]} if "player" in form else ()))


def _seat(host: Host, visitor: Visitor, form: Form) -> Answer:
    guide = _guide(host, visitor)
    return guide.sit([player for place, player in enumerate(guide.players) if f"seat-{place}" in form])


def _exempt(host: Host, visitor: Visitor, form: Form) -> Answer:
    guide, player = _guide(host, visitor), text_field(form, "player")
    if player not in guide.players:
        raise CommandFormError
    return guide.exempt(player, frozenset(part for part in Exemption if part.value in form))


WARM_UP_COMMANDS: Final[Mapping[str, Command]] = {
    "begin-warm-up": _begin,
    "skip-pose": lambda host, visitor, _: _guide(host, visitor).skip(),
    "leave-warm-up": lambda host, visitor, _: _guide(host, visitor).leave_off(),
    "seat-players": _seat,
    "exempt-player": _exempt,
}
"""By the last part of their address."""
