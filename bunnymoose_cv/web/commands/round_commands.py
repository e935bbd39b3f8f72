"""Commands of the round that is played: bet, cards, Bam, undo, dealer, pause, answers and corrections."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.player_names import player_and_rest
from bunnymoose_cv.rules.pose import NotationError, Pose
from bunnymoose_cv.session.session import UNCHANGED
from bunnymoose_cv.web.auth.permissions import Action, Role
from bunnymoose_cv.web.commands.form_command import (
    Command,
    CommandFormError,
    card_field,
    number_field,
    tempo_field,
    text_field,
)
from bunnymoose_cv.web.live.verdict_view import round_view
from bunnymoose_cv.web.urls import PHONE, TABLE
from bunnymoose_cv.web.widgets.cards_entry import MOST_CHARACTERS, normalized
from bunnymoose_cv.web.widgets.controls import ENTRIES
from bunnymoose_cv.web.widgets.poses import chosen_pose

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future

    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer, Form


_TONGUE_OUT = re.compile(r"\bT$")
"""Sign for the tongue, the only lower-case letter of the notation, after it was made upper case."""


def player_and_pose(typed: str, players: Sequence[str]) -> tuple[str, Pose]:
    """Return the player and the pose that a visitor has typed: a name, then the notation in upper or lower case."""
    split = player_and_rest(typed, players)
    if split is None:
        raise InputError(Phrase("Nobody has that name: begin with one of {names}.", names=", ".join(players)))
    player, pose = split
    return player, Pose.parse(_TONGUE_OUT.sub("t", pose.upper()))


def _in_game(needs: Action, act: Callable[[Session, Visitor, Form], Answer], about: str = "") -> Command:
    """Return a command to the running game; its arguments are those of a `Command`."""
    return Command(needs, lambda host, visitor, form: act(host.require_session(), visitor, form), about)


def _lay(session: Session, visitor: Visitor, form: Form) -> Answer:
    """Lay one card on each pile, or on the next piles in turn, after those that the page has shown."""
    typed = text_field(form, "cards")
    if len(typed) > MOST_CHARACTERS:
        raise CommandFormError
    after, cards = _seen(form, "after"), parse_table(normalized(typed))
    if len(cards) == session.state.game.rules.piles:
        return session.submit_cards(cards, visitor.name, after=after)
    # A card that ends the round ends the narrator's permission.
    return session.submit_cards_one_by_one(cards, visitor.name, after=after, expect=lambda: visitor.expect(Action.LAY))


def _settle_card(session: Session, visitor: Visitor, form: Form) -> Answer:
    return session.settle_card(number_field(form, "pile"), card_field(form), visitor.name)


def _bam(session: Session, visitor: Visitor, form: Form) -> Answer:
    return session.bam(Maker.KEY if form.get("by") == "key" else Maker.BUTTON, visitor.name)


def _undo(session: Session, visitor: Visitor, form: Form) -> Answer:
    return session.undo(visitor.name, after=_seen(form, ENTRIES), keeps_bam=True)


def _seen(form: Form, name: str) -> int | None:
    """Return the number of cards or entries that the page has shown, or None if it sends none."""
    return number_field(form, name) if name in form else None


def _deal(session: Session, _visitor: Visitor, form: Form) -> Answer:
    return session.deal(tempo_field(form) if "tempo" in form else None)


def _answer_question(session: Session, visitor: Visitor, form: Form) -> Answer:
    """Answer the question about a verdict while it is open; some visitors may only confirm the likeliest answer."""
    player, number = text_field(form, "player"), number_field(form, "round")
    try:
        pose = Pose.parse(text_field(form, "pose"))
    except NotationError:
        raise CommandFormError from None
    if pose != _likeliest(session.state, player, number):
        visitor.expect(Action.CORRECT_POSE, player)
    return session.answer(player, pose, visitor.name, number)


def _likeliest(state: TableState, player: str, number: int) -> Pose | None:
    """Return the likeliest answer to the question about a player, or None if there is none."""
    view = round_view(state, number)
    verdicts = () if view is None else view.verdicts
    return next(
        (verdict.likeliest[0].pose for verdict in verdicts if verdict.player == player and verdict.likeliest), None
    )


def _correct_pose(session: Session, visitor: Visitor, form: Form) -> Answer:
    """Correct the typed pose of a player in this or the last round."""
    player, pose = player_and_pose(text_field(form, "typed"), session.state.game.players)
    return _finish(session.correct_pose(player, pose, visitor.name))


def _correct_verdict(session: Session, visitor: Visitor, form: Form) -> Answer:
    """Correct the pose of a contested verdict; in the open round the page returns to the table or the phone."""
    player = text_field(form, "player")
    try:
        pose = chosen_pose(form)
    except NotationError:
        raise CommandFormError from None
    game, number = session.state.game, number_field(form, "round")
    is_open = game.phase is Phase.FROZEN and number == game.round_number
    way = (TABLE if visitor.role is Role.OWNER else PHONE) if is_open else None
    if "asked" in form:
        return _finish(session.answer(player, pose, visitor.name, number), way)
    is_pending = is_open and player not in game.poses
    return _finish(session.correct_pose(player, pose, visitor.name, None if is_pending else number), way)


async def _finish(done: Future[Any], way: str | None = None) -> str | None:
    """Wait for an answer or correction, then go on to a page; raise an `InputError` if a correction changes nothing."""
    if await asyncio.wrap_future(done) is False:
        raise InputError(UNCHANGED)
    return way


def _correct_table(session: Session, visitor: Visitor, form: Form) -> Answer:
    number, cards = number_field(form, "round"), parse_table(text_field(form, "cards"))
    return _finish(session.correct_table(number, cards, visitor.name))


def _correct_bet(session: Session, visitor: Visitor, form: Form) -> Answer:
    number, player = number_field(form, "round"), text_field(form, "player") or None
    return _finish(session.correct_bet(number, player, visitor.name))


ROUND_COMMANDS: Final[Mapping[str, Command]] = {
    "bet": _in_game(Action.BET, lambda session, visitor, form: session.bet(text_field(form, "player"), visitor.name)),
    "lay": _in_game(Action.LAY, _lay),
    "settle-card": _in_game(Action.LAY, _settle_card),
    "bam": _in_game(Action.BAM, _bam),
    "dismiss": _in_game(
        Action.DISMISS, lambda session, visitor, form: session.dismiss(visitor.name, after=_seen(form, ENTRIES))
    ),
    "undo": _in_game(Action.UNDO, _undo),
    "deal": _in_game(Action.DEAL, _deal),
    "rest": _in_game(Action.DEAL, lambda session, *_: session.rest()),
    "pause": _in_game(Action.PAUSE, lambda session, *_: session.pause(True)),
    "go-on": _in_game(Action.PAUSE, lambda session, *_: session.pause(False)),
    "answer-question": _in_game(Action.CONFIRM_POSE, _answer_question, about="player"),
    "correct-pose": _in_game(Action.CORRECT_POSE, _correct_pose),
    "correct-verdict": _in_game(Action.CORRECT_POSE, _correct_verdict, about="player"),
    "correct-table": _in_game(Action.CORRECT_TABLE, _correct_table),
    "correct-bet": _in_game(Action.CORRECT_TABLE, _correct_bet),
}
