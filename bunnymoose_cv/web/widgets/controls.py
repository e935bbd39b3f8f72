"""The big Bam button and the smaller ones beside it: deal, that was no Bam, undo, pause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nicegui import html, ui

from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.art.animals import bam_art
from bunnymoose_cv.web.auth.access import Action

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from nicegui.events import GenericEventArguments

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.pages.page_frame import PageFrame

BEFORE_BAM = frozenset({Phase.BETTING, Phase.DEALING})


@dataclass(frozen=True, slots=True)
class Controls:
    """Controls that can be pressed.

    Attributes:
        bam: whether Bam can be said.
        deals: whether the dealer is at work; None where there is none, or nothing to deal.
        dismiss: whether the last Bam can be taken back.
        undo: whether anything can be.
        paused: whether the table pauses; None for those who may not say so.
    """

    bam: bool
    deals: bool | None
    dismiss: bool
    undo: bool
    paused: bool | None


def controls_of(state: TableState, visitor: Visitor) -> Controls:
    """List the controls that a visitor can press now."""
    waits = state.game.phase in BEFORE_BAM and not state.judging
    deals = state.deal is not None and waits and visitor.may(Action.DEAL)
    return Controls(
        bam=waits and not state.paused and visitor.may(Action.BAM),
        deals=state.deal.line is not None if deals and state.deal is not None else None,
        dismiss=state.game.phase is Phase.FROZEN and visitor.may(Action.DISMISS),
        undo=len(state.entries) > 1 and visitor.may(Action.UNDO),
        paused=state.paused if visitor.may(Action.PAUSE) else None,
    )


def bam_button(session: Callable[[], Session], visitor: Visitor, frame: PageFrame, texts: Texts) -> html.button:
    """Build the big button; a press of the mouse or a finger is told from a key."""

    async def bam(event: GenericEventArguments) -> None:
        maker = Maker.BUTTON if event.args["detail"] else Maker.KEY
        await frame.attempt(lambda: session().bam(maker, visitor.name))

    button = html.button(type="button").classes("bam")
    button.props("aria-keyshortcuts='Space Enter PageDown PageUp'")
    button.props["aria-label"] = texts("Bam!")
    with button:
        ui.html(bam_art(), sanitize=False)
    return button.on("click", bam, args=["detail"])


def small_controls(
    controls: Controls, session: Callable[[], Session], visitor: Visitor, frame: PageFrame, texts: Texts
) -> None:
    """Build the smaller buttons; what cannot be pressed now is not there."""
    name = visitor.name

    def button(text: str, key: str, deed: Callable[[], Future[None]]) -> html.button:
        pressed = html.button(type="button").classes("button").props(f"aria-keyshortcuts={key}")
        pressed.props["data-focus"] = f"control {key}"
        with pressed:
            html.span(text)
            html.kbd(key).props("aria-hidden=true")
        return pressed.on("click", lambda: frame.attempt(deed))

    if controls.deals is False:
        button(texts("Deal"), "s", lambda: session().deal())
    elif controls.deals:
        button(texts("Let the dealer rest"), "s", lambda: session().rest())
    if controls.dismiss:
        button(texts("That was no Bam"), "d", lambda: session().dismiss(name)).classes("bad")
    if controls.undo:
        button(texts("Undo"), "u", lambda: session().undo(name))
    if controls.paused is not None:
        text = texts("Go on") if controls.paused else texts("Pause")
        button(text, "p", lambda: session().pause(not controls.paused))
