"""Controls of the round: bets, the dealer, the big Bam button and the other actions.

At the table three actions are in sight and the others behind one button.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.art.animals import bam_art
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.record.game_file import standing_entries
from bunnymoose_cv.rules.events import Bam, GameStarted, PosesJudged
from bunnymoose_cv.rules.game import BEFORE_BAM, Phase
from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.permissions import Action, Role
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.cards_entry import takes_cards
from bunnymoose_cv.web.widgets.standings import has_films
from bunnymoose_cv.web.widgets.table_status import between_rounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.table_state import DealState, TableState
    from bunnymoose_cv.web.auth.access import Visitor


ENTRIES: Final = "entries"
"""Name of the part, and of the field in a form, with the number of entries of the game that the page has shown."""


def entries_part(state: TableState) -> Mapping[str, Markup]:
    """Return that part, for pages with a form that takes something back; commands.js sends the number along."""
    return {ENTRIES: drawing(f'<data value="{len(state.entries)}"></data>')}


def bets_html(game: Game, texts: Texts, *, may_bet: bool) -> Markup:
    """Render buttons for a visitor who may place the bet now, and the placed or the last bet for all others."""
    shown = game.rounds[-1].facts if game.phase is Phase.OVER else game
    styles, is_open = styles_of(game.players, game.colours), game.phase is Phase.BETTING
    return render("round/bets", texts, round=shown, is_open=is_open, may_bet=may_bet and is_open, styles=styles)


SLOWEST_S, FASTEST_S, STEP_S = 8.0, 1.0, 0.5
"""Range and step of the sliders for the seconds from one line of the poem to the next."""


def tempo_html(deal: DealState | None, texts: Texts) -> Markup:
    """Render the buttons that make the poem faster or slower; empty while it is not being recited."""
    if deal is None or deal.line is None:
        return drawing("")
    now = deal.tempo_s
    faster, slower = max(now - STEP_S, min(now, FASTEST_S)), min(now + STEP_S, max(now, SLOWEST_S))
    return render("table/tempo", texts, now=now, faster=faster, slower=slower)


def dealer_parts(deal: DealState | None, texts: Texts) -> Mapping[str, Markup]:
    """Return the controls of the dealer by part; all are empty in a game without a dealer."""
    if deal is None:
        return dict.fromkeys(("dealer", "tempo", "poem"), drawing(""))
    deals = deal.line is not None
    lines = [f"{line.draw} {line.lay}" for line in deal.poem]
    tempo = {"tempo_s": deal.tempo_s, "fastest": FASTEST_S, "slowest": SLOWEST_S, "step": STEP_S}
    return {
        "dealer": render("cards/dealer", texts, deals=deals),
        "tempo": render("cards/tempo", texts, deals=deals, **tempo),
        "poem": render("cards/poem", texts, lines=lines, now=deal.line),
    }


FIRST: Final = 3
"""Number of actions that the table shows without opening the menu."""


class ActionKind(Enum):
    """Kind of an action: a command of the round, a dialog of the page, or a link to another page."""

    COMMAND = "command"
    SHEET = "sheet"
    WAY = "way"


@dataclass(frozen=True, slots=True)
class TableAction:
    """Action that is possible now; its target is a command, a dialog or an address, its style a further class."""

    kind: ActionKind
    text: str
    target: str
    key: str = ""
    style: str = ""


@dataclass(frozen=True, slots=True)
class Controls:
    """Controls that can be pressed.

    Attributes:
        deals: whether the dealer is reciting; None without a dealer, or when there is nothing to deal.
        again: whether the last Bam saw none of the players, so that the round is best played again.
        blind: whether Bam can be said without the lost camera; then players say what they showed.
        undo: the event that an undo reverts; None if there is none.
        paused: whether the table pauses; None if the visitor may not pause it, and when the game is over.
    """

    bam: bool
    lays: bool
    deals: bool | None
    dismiss: bool
    again: bool
    blind: bool
    undo: Event | None
    paused: bool | None


def controls_of(state: TableState, visitor: Visitor) -> Controls:
    """Return the controls that a visitor can press now."""
    waits, lost = state.game.phase in BEFORE_BAM and not state.judging, state.camera is CameraState.LOST
    deals = state.deal is not None and waits and not lost and visitor.may(Action.DEAL)
    bam = waits and not state.paused and visitor.may(Action.BAM)
    return Controls(
        bam=bam and not lost,
        lays=takes_cards(state.game) and not state.judging and visitor.may(Action.LAY),
        deals=state.deal.line is not None if deals and state.deal is not None else None,
        dismiss=state.dismissible and visitor.may(Action.DISMISS),
        again=state.met_nobody and not state.game.poses,
        blind=bam and lost,
        undo=_newest(state) if visitor.may(Action.UNDO) else None,
        paused=state.paused if visitor.may(Action.PAUSE) and state.game.phase is not Phase.OVER else None,
    )


def bam_html(texts: Texts, *, can_press: bool, by_keys: bool = True) -> Markup:
    """Render the big Bam button; `by_keys` if the keys that usually scroll press it."""
    return render("round/bam", texts, can_press=can_press, by_keys=by_keys, art=drawing(bam_art()))


def controls_html(controls: Controls, texts: Texts) -> Markup:
    """Render the buttons of the round that can be pressed now."""
    return render("round/actions", texts, first=tuple(_pressed(controls, texts)), more=())


def table_actions_html(state: TableState, visitor: Visitor, texts: Texts, *, photographs: bool) -> Markup:
    """Render the actions of the table: the most urgent ones first, the rest behind one button."""
    controls = controls_of(state, visitor)
    laying = texts("Lay or photograph the cards") if photographs else texts("Lay cards")
    actions = {action.key or action.target: action for action in _actions(state, controls, visitor, texts, laying)}
    needed = [actions.pop(key) for key in _needed(state) if key in actions]
    ordered = [*needed, *actions.values()]
    return render("round/actions", texts, first=ordered[:FIRST], more=ordered[FIRST:])


def _needed(state: TableState) -> tuple[str, ...]:
    """Return the keys, or addresses, of the actions that the game needs now, the most urgent first."""
    game = state.game
    if game.phase is Phase.OVER:
        return urls.SETUP, "r", "t"
    if state.camera is CameraState.LOST:
        return "d", "bam", "u"
    if state.paused:
        return "p", urls.CARDS, "u"
    if game.phase is Phase.FROZEN:
        return (urls.CARDS, "c", "d") if game.first_pass else ("d", "k", "u")
    if between_rounds(game):
        return "s", urls.CARDS, "t", "u"
    return "s", urls.CARDS, "u", "c"


def _actions(
    state: TableState, controls: Controls, visitor: Visitor, texts: Texts, laying: str
) -> Iterator[TableAction]:
    at_table = visitor.role is Role.OWNER
    yield from _pressed(controls, texts)
    if controls.lays:
        yield TableAction(ActionKind.WAY, laying, urls.CARDS, style="main")
        yield TableAction(ActionKind.SHEET, texts("Type cards"), "type-cards", "c")
    if state.game.phase is Phase.OVER and visitor.may(Action.SET_UP):
        yield TableAction(ActionKind.WAY, texts("New game"), urls.SETUP, style="" if has_films(state) else "main")
    if at_table:
        yield TableAction(ActionKind.SHEET, texts("Type poses"), "type-pose", "k")
        yield TableAction(ActionKind.WAY, texts("Contest"), urls.VERDICTS, "t")
        yield TableAction(ActionKind.WAY, texts("Films"), urls.HISTORY, "r")
    if at_table and state.camera is not CameraState.NONE:
        yield TableAction(ActionKind.WAY, texts("Check the table"), "/check", "h")
    yield TableAction(ActionKind.WAY, texts("How to play"), urls.HOW_TO_PLAY)


def _pressed(controls: Controls, texts: Texts) -> Iterator[TableAction]:
    """Yield the commands of the round that can be given now."""
    if controls.deals is not None:
        text, command = (texts("Let the dealer rest"), "rest") if controls.deals else (texts("Deal"), "deal")
        yield TableAction(ActionKind.COMMAND, text, command, "s")
    if controls.blind:
        yield TableAction(ActionKind.COMMAND, texts("Bam without the camera"), "bam")
    if controls.dismiss:
        text, style = (texts("Play the round again"), "main") if controls.again else (texts("That was no Bam"), "bad")
        yield TableAction(ActionKind.COMMAND, text, "dismiss", "d", style)
    if controls.undo is not None:
        yield TableAction(ActionKind.COMMAND, _undo_words(controls.undo, texts), "undo", "u")
    if controls.paused is not None:
        text, command = (texts("Go on"), "go-on") if controls.paused else (texts("Pause"), "pause")
        yield TableAction(ActionKind.COMMAND, text, command, "p")


def _newest(state: TableState) -> Event | None:
    """Return the newest event that is in force; None at the beginning, and for a Bam, which has its own button."""
    newest = standing_entries(state.entries)[-1].event
    return None if isinstance(newest, GameStarted | Bam) else newest


def _undo_words(newest: Event, texts: Texts) -> str:
    match newest:
        case PosesJudged(poses) if len(poses) == 1:
            return texts("Undo: {player}’s pose", player=next(iter(poses)))
        case PosesJudged():
            return texts("Undo: the poses")
    return texts("Undo")
