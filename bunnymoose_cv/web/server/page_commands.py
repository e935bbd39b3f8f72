"""Commands that a page's form may send: what each takes, and what it does.

Every one asks for the permission of whoever sends it, whatever the page let them press.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import NotationError, Pose
from bunnymoose_cv.session.session import STANDS_ALREADY
from bunnymoose_cv.web.auth.access import AccessError, Action, Role
from bunnymoose_cv.web.server.check_commands import CHECK_COMMANDS
from bunnymoose_cv.web.server.command_form import (
    CommandFormError,
    card_field,
    decimal_field,
    expect,
    number_field,
    text_field,
)
from bunnymoose_cv.web.server.enrol_commands import ENROL_COMMANDS
from bunnymoose_cv.web.server.evening_commands import EVENING_COMMANDS
from bunnymoose_cv.web.server.practice_commands import PRACTICE_COMMANDS
from bunnymoose_cv.web.server.setup_commands import SETUP_COMMANDS
from bunnymoose_cv.web.server.warm_up_commands import WARM_UP_COMMANDS
from bunnymoose_cv.web.urls import JOIN, PHONE, TABLE
from bunnymoose_cv.web.widgets.cards_entry import MOST_CHARACTERS, normalized
from bunnymoose_cv.web.widgets.dealer_panel import FASTEST_S, SLOWEST_S
from bunnymoose_cv.web.widgets.entry_dialogs import player_and_pose
from bunnymoose_cv.web.widgets.pose_chooser import chosen_pose

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Future

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.server.command_form import Answer, Command, Form


def _renew_code(host: Host, visitor: Visitor, _form: Form) -> Answer:
    expect(visitor, Action.ADMIT)
    host.access.renew_code()
    return None


def _remove_phone(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.ADMIT)
    host.access.remove(number_field(form, "number"))
    return None


def _choose_player(host: Host, visitor: Visitor, form: Form) -> Answer:
    host.give_phone(visitor, text_field(form, "player"))
    return PHONE


def _not_me(host: Host, visitor: Visitor, _form: Form) -> Answer:
    host.give_phone_back(visitor)
    return JOIN


def _bet(host: Host, visitor: Visitor, form: Form) -> Answer:
    return host.at_table_for(visitor).bet(text_field(form, "player"), visitor.name)


def _lay(host: Host, visitor: Visitor, form: Form) -> Answer:
    """One card on each pile, or on the next piles one after the other; after those that the page has seen."""
    if not visitor.may(Action.LAY):
        raise AccessError(Phrase("Only the narrator's phone and the screen at the table lay cards."))
    typed, table = text_field(form, "cards"), host.at_table_for(visitor)
    if len(typed) > MOST_CHARACTERS:
        raise CommandFormError
    after = number_field(form, "after") if "after" in form else None
    cards = parse_table(normalized(typed))
    if len(cards) == table.state.game.rules.piles:
        return table.lay(cards, visitor.name, after=after)
    return _lay_in_turn(table, cards, visitor.name, after)


async def _lay_in_turn(table: Session, cards: Table, who: str, after: int | None) -> None:
    """Lay cards until one cannot be laid."""
    for more, card in enumerate(cards):
        await asyncio.wrap_future(table.lay((card,), who, after=None if after is None else after + more))


def _deal(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Deal, in a tempo as far as the dealer goes."""
    tempo_s = min(max(decimal_field(form, "tempo"), FASTEST_S), SLOWEST_S) if "tempo" in form else None
    return host.at_table_for(visitor).deal(tempo_s)


def _bam(host: Host, visitor: Visitor, form: Form) -> Answer:
    maker = Maker.KEY if form.get("by") == "key" else Maker.BUTTON
    return host.at_table_for(visitor).bam(maker, visitor.name)


def _answer_question(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Answer what a verdict asks; it counts only while that is asked."""
    player = text_field(form, "player")
    expect(visitor, Action.PUT_RIGHT, player)
    try:
        pose = Pose.parse(text_field(form, "pose"))
    except NotationError:
        raise CommandFormError from None
    return host.at_table_for(visitor).answer(player, pose, visitor.name, number_field(form, "round"))


def _tell_pose(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Put right what a player shows, or showed in the last round, as the table's dialog has it."""
    expect(visitor, Action.PUT_RIGHT)
    table = host.at_table_for(visitor)
    player, pose = player_and_pose(text_field(form, "typed"), table.state.game.players)
    return _corrected(table.put_right(player, pose, visitor.name))


def _contest(host: Host, visitor: Visitor, form: Form) -> Answer:
    """Put a verdict right; in the round that is open the next player is told where people came from."""
    player = text_field(form, "player")
    expect(visitor, Action.PUT_RIGHT, player)
    try:
        pose = chosen_pose(form)
    except NotationError:
        raise CommandFormError from None
    table, number = host.at_table_for(visitor), number_field(form, "round")
    game = table.state.game
    is_open = game.phase is Phase.FROZEN and number == game.round_number
    way = (TABLE if visitor.role is Role.OWNER else PHONE) if is_open else None
    if "asked" in form:
        return _then(table.answer(player, pose, visitor.name, number), way)
    untold = is_open and player not in game.poses
    return _corrected(table.put_right(player, pose, visitor.name, None if untold else number), way)


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
    expect(visitor, Action.CORRECT_TABLE)
    table, number = host.at_table_for(visitor), number_field(form, "round")
    return _corrected(table.correct_table(number, parse_table(text_field(form, "cards")), visitor.name))


def _correct_bet(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.CORRECT_TABLE)
    table, number = host.at_table_for(visitor), number_field(form, "round")
    return _corrected(table.correct_bet(number, text_field(form, "player") or None, visitor.name))


def _settle_card(host: Host, visitor: Visitor, form: Form) -> Answer:
    return host.at_table_for(visitor).settle_card(number_field(form, "pile"), card_field(form), visitor.name)


COMMANDS: Final[Mapping[str, Command]] = {
    "renew-code": _renew_code,
    "remove-phone": _remove_phone,
    "choose-player": _choose_player,
    "not-me": _not_me,
    "bet": _bet,
    "bam": _bam,
    "lay": _lay,
    "deal": _deal,
    "rest": lambda host, visitor, _: host.at_table_for(visitor).rest(),
    "dismiss": lambda host, visitor, _: host.at_table_for(visitor).dismiss(visitor.name),
    "undo": lambda host, visitor, _: host.at_table_for(visitor).undo(visitor.name, keeps_bam=True),
    "pause": lambda host, visitor, _: host.at_table_for(visitor).pause(True),
    "go-on": lambda host, visitor, _: host.at_table_for(visitor).pause(False),
    "put-right": _answer_question,
    "tell-pose": _tell_pose,
    "contest": _contest,
    "correct-table": _correct_table,
    "correct-bet": _correct_bet,
    "settle-card": _settle_card,
    **SETUP_COMMANDS,
    **WARM_UP_COMMANDS,
    **PRACTICE_COMMANDS,
    **ENROL_COMMANDS,
    **EVENING_COMMANDS,
    **CHECK_COMMANDS,
}
"""By the last part of their address."""
