"""Commands of the round that is played: bet, cards, Bam, undo, dealer and pause."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.commands.form_command import Command
from bunnymoose_cv.web.commands.form_fields import (
    CommandFormError,
    card_field,
    decimal_field,
    number_field,
    text_field,
)
from bunnymoose_cv.web.widgets.cards_entry import MOST_CHARACTERS, normalized
from bunnymoose_cv.web.widgets.dealer_panel import FASTEST_S, SLOWEST_S
from bunnymoose_cv.web.widgets.seen_entries import ENTRIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer
    from bunnymoose_cv.web.commands.form_fields import Form
    from bunnymoose_cv.web.live.host import Host


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


def _settle_card(host: Host, visitor: Visitor, form: Form) -> Answer:
    return host.require_session().settle_card(number_field(form, "pile"), card_field(form), visitor.name)


def _bam(host: Host, visitor: Visitor, form: Form) -> Answer:
    maker = Maker.KEY if form.get("by") == "key" else Maker.BUTTON
    return host.require_session().bam(maker, visitor.name)


def _dismiss(host: Host, visitor: Visitor, form: Form) -> Answer:
    return host.require_session().dismiss(visitor.name, after=_seen_entries(form))


def _undo(host: Host, visitor: Visitor, form: Form) -> Answer:
    return host.require_session().undo(visitor.name, after=_seen_entries(form), keeps_bam=True)


def _seen_entries(form: Form) -> int | None:
    """Number of entries of the game that the page has shown; None where it does not say so."""
    return number_field(form, ENTRIES) if ENTRIES in form else None


def _deal(host: Host, _visitor: Visitor, form: Form) -> Answer:
    """Deal, in a tempo as far as the dealer goes."""
    tempo_s = min(max(decimal_field(form, "tempo"), FASTEST_S), SLOWEST_S) if "tempo" in form else None
    return host.require_session().deal(tempo_s)


ROUND_COMMANDS: Final[Mapping[str, Command]] = {
    "bet": Command(Action.BET, _bet),
    "lay": Command(Action.LAY, _lay),
    "settle-card": Command(Action.LAY, _settle_card),
    "bam": Command(Action.BAM, _bam),
    "dismiss": Command(Action.DISMISS, _dismiss),
    "undo": Command(Action.UNDO, _undo),
    "deal": Command(Action.DEAL, _deal),
    "rest": Command(Action.DEAL, lambda host, *_: host.require_session().rest()),
    "pause": Command(Action.PAUSE, lambda host, *_: host.require_session().pause(True)),
    "go-on": Command(Action.PAUSE, lambda host, *_: host.require_session().pause(False)),
}
"""By the last part of their address."""
