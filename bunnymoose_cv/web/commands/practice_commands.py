"""Commands of the practice page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.session.practice.practice_session import CLOSED
from bunnymoose_cv.session.practice.takes import Consent
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.commands.form_command import Command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.session.practice.practice_session import PracticeSession
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer
    from bunnymoose_cv.web.commands.form_fields import Form
    from bunnymoose_cv.web.live.host import Host


def _require_open(host: Host) -> PracticeSession:
    return host.camera.practice.require_open(CLOSED)


def _keep_takes(host: Host, _visitor: Visitor, form: Form) -> Answer:
    """Keep takes, or images, from now on; or none any more."""
    return _require_open(host).give_consent(Consent(takes="takes" in form, images="pictures" in form))


PRACTICE_COMMANDS: Final[Mapping[str, Command]] = {
    "another-pose": Command(Action.SET_UP, lambda host, *_: _require_open(host).skip()),
    "accept-pose": Command(Action.SET_UP, lambda host, *_: _require_open(host).accept_as_shown()),
    "keep-takes": Command(Action.SET_UP, _keep_takes),
    "delete-takes": Command(Action.SET_UP, lambda host, *_: _require_open(host).delete_takes()),
    "open-practice": Command(Action.SET_UP, lambda host, *_: host.camera.practice.open_again()),
}
"""By the last part of their address."""
