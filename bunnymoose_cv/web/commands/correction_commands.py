"""Commands that answer a question or correct what stands: poses, cards and bets."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import NotationError, Pose
from bunnymoose_cv.session.session import STANDS_ALREADY
from bunnymoose_cv.web.auth.access import Action, Role
from bunnymoose_cv.web.commands.form_command import Command
from bunnymoose_cv.web.commands.form_fields import CommandFormError, number_field, text_field
from bunnymoose_cv.web.commands.typed_pose import player_and_pose
from bunnymoose_cv.web.urls import PHONE, TABLE
from bunnymoose_cv.web.widgets.pose_chooser import chosen_pose

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Future

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer
    from bunnymoose_cv.web.commands.form_fields import Form
    from bunnymoose_cv.web.live.host import Host


def _answer_question(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Answer the question of a verdict; that counts only while it is asked."""
    player = text_field(form, "player")
    try:
        pose = Pose.parse(text_field(form, "pose"))
    except NotationError:
        raise CommandFormError from None
    return host.require_session().answer(player, pose, visitor.name, number_field(form, "round"))


def _correct_pose(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Correct the pose of a player in this or the last round, as it is typed at the table."""
    session = host.require_session()
    player, pose = player_and_pose(text_field(form, "typed"), session.state.game.players)
    return _confirm(session.correct_pose(player, pose, visitor.name))


def _correct_verdict(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Correct the pose of a contested verdict; in the open round the page goes on to where people came from."""
    player = text_field(form, "player")
    try:
        pose = chosen_pose(form)
    except NotationError:
        raise CommandFormError from None
    session, number = host.require_session(), number_field(form, "round")
    game = session.state.game
    is_open = game.phase is Phase.FROZEN and number == game.round_number
    way = (TABLE if visitor.role is Role.OWNER else PHONE) if is_open else None
    if "asked" in form:
        return _go_on(session.answer(player, pose, visitor.name, number), way)
    untold = is_open and player not in game.poses
    return _confirm(session.correct_pose(player, pose, visitor.name, None if untold else number), way)


async def _go_on(done: Future[None], way: str | None) -> str | None:
    """Go on to a page once something is done."""
    await asyncio.wrap_future(done)
    return way


async def _confirm(corrected: Future[bool], way: str | None = None) -> str | None:
    """Go on to a page once something is corrected.

    Raises:
        InputError: it stands so already.
    """
    if not await asyncio.wrap_future(corrected):
        raise InputError(STANDS_ALREADY)
    return way


def _correct_table(host: Host, visitor: Visitor, form: Form) -> Answer:
    session, number = host.require_session(), number_field(form, "round")
    return _confirm(session.correct_table(number, parse_table(text_field(form, "cards")), visitor.name))


def _correct_bet(host: Host, visitor: Visitor, form: Form) -> Answer:
    session, number = host.require_session(), number_field(form, "round")
    return _confirm(session.correct_bet(number, text_field(form, "player") or None, visitor.name))


CORRECTION_COMMANDS: Final[Mapping[str, Command]] = {
    "answer-question": Command(Action.CORRECT_POSE, _answer_question, about="player"),
    "correct-pose": Command(Action.CORRECT_POSE, _correct_pose),
    "correct-verdict": Command(Action.CORRECT_POSE, _correct_verdict, about="player"),
    "correct-table": Command(Action.CORRECT_TABLE, _correct_table),
    "correct-bet": Command(Action.CORRECT_TABLE, _correct_bet),
}
"""By the last part of their address."""
