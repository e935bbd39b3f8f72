"""Commands of the practice page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.session.practice.practice_mirror import CLOSED
from bunnymoose_cv.session.practice.takes import Consent
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.server.command_form import expect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.session.practice.practice_mirror import Mirror
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.server.command_form import Answer, Command, Form


def _mirror(host: Host, visitor: Visitor) -> Mirror:
    """The mirror that is open.

    Raises:
        InputError: none is, or the visitor may not practise.
    """
    expect(visitor, Action.SET_UP)
    if host.camera.mirror is None:
        raise InputError(CLOSED)
    return host.camera.mirror


def _open_mirror(host: Host, visitor: Visitor, _form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    host.watched_practice.open_again()
    return None


def _keep_takes(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Keep takes, or pictures, from now on; or none any more."""
    return _mirror(host, visitor).give_consent(Consent(takes="takes" in form, pictures="pictures" in form))


PRACTICE_COMMANDS: Final[Mapping[str, Command]] = {
    "another-pose": lambda host, visitor, _: _mirror(host, visitor).skip(),
    "accept-pose": lambda host, visitor, _: _mirror(host, visitor).accept_as_shown(),
    "keep-takes": _keep_takes,
    "delete-takes": lambda host, visitor, _: _mirror(host, visitor).delete_takes(),
    "open-mirror": _open_mirror,
}
"""By the last part of their address."""
