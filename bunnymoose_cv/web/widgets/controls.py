"""The big Bam button and the smaller ones beside it: deal, that was no Bam, undo, pause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.record.game_file import standing_entries
from bunnymoose_cv.rules.events import Bam, GameStarted, PosesJudged
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.table_cues import BEFORE_BAM
from bunnymoose_cv.web.art.animals import bam_art
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.piles import takes_cards

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor


@dataclass(frozen=True, slots=True)
class Controls:
    """Controls that can be pressed.

    Attributes:
        bam: whether Bam can be said.
        lays: whether cards can be laid.
        deals: whether the dealer is at work; None where there is none, or nothing to deal.
        dismiss: whether the last Bam can be taken back.
        undo: what is taken back otherwise; None where nothing can be.
        paused: whether the table pauses; None for those who may not say so, and when the game is over.
    """

    bam: bool
    lays: bool
    deals: bool | None
    dismiss: bool
    undo: Event | None
    paused: bool | None


def controls_of(state: TableState, visitor: Visitor) -> Controls:
    """List the controls that a visitor can press now."""
    waits = state.game.phase in BEFORE_BAM and not state.judging
    deals = state.deal is not None and waits and visitor.may(Action.DEAL)
    return Controls(
        bam=waits and not state.paused and visitor.may(Action.BAM),
        lays=takes_cards(state.game) and not state.judging and visitor.may(Action.LAY),
        deals=state.deal.line is not None if deals and state.deal is not None else None,
        dismiss=state.dismissible and visitor.may(Action.DISMISS),
        undo=_newest(state) if visitor.may(Action.UNDO) else None,
        paused=state.paused if visitor.may(Action.PAUSE) and state.game.phase is not Phase.OVER else None,
    )


def bam_html(texts: Texts, *, can_press: bool, by_keys: bool = True) -> Markup:
    """Big Bam button, which tells a tap from a key.

    Args:
        can_press: whether Bam can be said.
        by_keys: whether keys press it that otherwise scroll.
    """
    return render("round/bam", texts, can_press=can_press, by_keys=by_keys, art=drawing(bam_art()))


def controls_html(controls: Controls, texts: Texts) -> Markup:
    """Smaller buttons, without those that cannot be pressed now."""
    undo = "" if controls.undo is None else _undo_words(controls.undo, texts)
    return render("round/controls", texts, controls=controls, undo=undo)


def _newest(state: TableState) -> Event | None:
    """The newest event that stands; None at the beginning, and for a Bam, which has a button of its own."""
    newest = standing_entries(state.entries)[-1].event
    return None if isinstance(newest, GameStarted | Bam) else newest


def _undo_words(newest: Event, texts: Texts) -> str:
    match newest:
        case PosesJudged(poses) if len(poses) == 1:
            return texts("Undo: {player}’s pose", player=next(iter(poses)))
        case PosesJudged():
            return texts("Undo: the poses")
    return texts("Undo")
