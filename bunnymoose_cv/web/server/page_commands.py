"""Commands of all pages by name, and those of the game that is played and of the phones."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import NotationError, Pose
from bunnymoose_cv.session.session import STANDS_ALREADY
from bunnymoose_cv.web.auth.access import Action, Role
from bunnymoose_cv.web.server.check_commands import CHECK_COMMANDS
from bunnymoose_cv.web.server.command_form import (
    CommandFormError,
    card_field,
    decimal_field,
    number_field,
    text_field,
)
from bunnymoose_cv.web.server.enrol_commands import ENROL_COMMANDS
from bunnymoose_cv.web.server.evening_commands import EVENING_COMMANDS
from bunnymoose_cv.web.server.form_command import Command
from bunnymoose_cv.web.server.practice_commands import PRACTICE_COMMANDS
from bunnymoose_cv.web.server.setup_commands import SETUP_COMMANDS
from bunnymoose_cv.web.server.typed_pose import player_and_pose
from bunnymoose_cv.web.server.warm_up_commands import WARM_UP_COMMANDS
from bunnymoose_cv.web.urls import JOIN, PHONE, TABLE
from bunnymoose_cv.web.widgets.cards_entry import MOST_CHARACTERS, normalized
from bunnymoose_cv.web.widgets.dealer_panel import FASTEST_S, SLOWEST_S
from bunnymoose_cv.web.widgets.pose_chooser import chosen_pose

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Future

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.server.command_form import Form
    from bunnymoose_cv.web.server.form_command import Answer


def _choose_player(host: Host, visitor: Visitor, form: Form) -> Answer:
    host.give_phone(visitor, text_field(form, "player"))
    return PHONE


def _not_me(host: Host, visitor: Visitor, _form: Form) -> Answer:
    host.give_phone_back(visitor)
    return JOIN


def _bet(host: Host, visitor: Visitor, form: Form) -> Answer:
    return host.require_session().bet(text_field(form, "player"), visitor.name)


def _lay(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Lay one card on each pile, or on the next piles one after the other, after those that the page has seen."""
    typed, session = text_field(form, "cards"), host.require_session()
    if len(typed) > MOST_CHARACTERS:
        raise CommandFormError
    after = number_field(form, "after") if "after" in form else None
    cards = parse_table(normalized(typed))
    if len(cards) == session.state.game.rules.piles:
        return session.lay(cards, visitor.name, after=after)
    return _lay_in_turn(session, cards, visitor, after)


async def _lay_in_turn(session: Session, cards: Table, visitor: Visitor, after: int | None) -> None:
    """Lay cards until one cannot be laid; a card that ends the round ends the narrator's permission."""
    for more, card in enumerate(cards):
        visitor.expect(Action.LAY)
        await asyncio.wrap_future(session.lay((card,), visitor.name, after=None if after is None else after + more))


def _deal(host: Host, _visitor: Visitor, form: Form) -> Answer:
    """Deal, in a tempo as far as the dealer goes."""
    tempo_s = min(max(decimal_field(form, "tempo"), FASTEST_S), SLOWEST_S) if "tempo" in form else None
    return host.require_session().deal(tempo_s)


def _bam(host: Host, visitor: Visitor, form: Form) -> Answer:
    maker = Maker.KEY if form.get("by") == "key" else Maker.BUTTON
    return host.require_session().bam(maker, visitor.name)


def _answer_question(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Answer what a verdict asks; it counts only while that is asked."""
    player = text_field(form, "player")
    try:
        pose = Pose.parse(text_field(form, "pose"))
    except NotationError:
        raise CommandFormError from None
    return host.require_session().answer(player, pose, visitor.name, number_field(form, "round"))


def _tell_pose(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Put right what a player shows, or showed in the last round, as the table's dialog has it."""
    session = host.require_session()
    player, pose = player_and_pose(text_field(form, "typed"), session.state.game.players)
    return _corrected(session.put_right(player, pose, visitor.name))


def _contest(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Put a verdict right; in the round that is open the next player is told where people came from."""
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
        return _then(session.answer(player, pose, visitor.name, number), way)
    untold = is_open and player not in game.poses
    return _corrected(session.put_right(player, pose, visitor.name, None if untold else number), way)


async def _then(done: Future[None], way: str | None) -> str | None:
    """Go on to a page once something is done."""
    await asyncio.wrap_future(done)
    return way


async def _corrected(done: Future[bool], way: str | None = None) -> str | None:
    """Go on to a page once something is put right.

    Raises:
        InputError: it stands so already.
    """
    if not await asyncio.wrap_future(done):
        raise InputError(STANDS_ALREADY)
    return way


def _correct_table(host: Host, visitor: Visitor, form: Form) -> Answer:
    session, number = host.require_session(), number_field(form, "round")
    return _corrected(session.correct_table(number, parse_table(text_field(form, "cards")), visitor.name))


def _correct_bet(host: Host, visitor: Visitor, form: Form) -> Answer:
    session, number = host.require_session(), number_field(form, "round")
    return _corrected(session.correct_bet(number, text_field(form, "player") or None, visitor.name))


def _settle_card(host: Host, visitor: Visitor, form: Form) -> Answer:
    return host.require_session().settle_card(number_field(form, "pile"), card_field(form), visitor.name)


COMMANDS: Final[Mapping[str, Command]] = {
    "renew-code": Command(Action.ADMIT, lambda host, *_: host.access.renew_code()),
    "remove-phone": Command(Action.ADMIT, lambda host, _, form: host.access.remove(number_field(form, "number"))),
    "choose-player": Command(Action.SEE, _choose_player),
    "not-me": Command(Action.SEE, _not_me),
    "bet": Command(Action.BET, _bet),
    "bam": Command(Action.BAM, _bam),
    "lay": Command(Action.LAY, _lay),
    "deal": Command(Action.DEAL, _deal),
    "rest": Command(Action.DEAL, lambda host, *_: host.require_session().rest()),
    "dismiss": Command(Action.DISMISS, lambda host, visitor, _: host.require_session().dismiss(visitor.name)),
    "undo": Command(Action.UNDO, lambda host, visitor, _: host.require_session().undo(visitor.name, keeps_bam=True)),
    "pause": Command(Action.PAUSE, lambda host, *_: host.require_session().pause(True)),
    "go-on": Command(Action.PAUSE, lambda host, *_: host.require_session().pause(False)),
    "put-right": Command(Action.PUT_RIGHT, _answer_question, about="player"),
    "tell-pose": Command(Action.PUT_RIGHT, _tell_pose),
    "contest": Command(Action.PUT_RIGHT, _contest, about="player"),
    "correct-table": Command(Action.CORRECT_TABLE, _correct_table),
    "correct-bet": Command(Action.CORRECT_TABLE, _correct_bet),
    "settle-card": Command(Action.LAY, _settle_card),
    **SETUP_COMMANDS,
    **WARM_UP_COMMANDS,
    **PRACTICE_COMMANDS,
    **ENROL_COMMANDS,
    **EVENING_COMMANDS,
    **CHECK_COMMANDS,
}
"""By the last part of their address."""
