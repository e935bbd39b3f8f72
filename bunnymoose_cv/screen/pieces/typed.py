"""Dialogs to type what lies on the table, and what somebody shows, in the notation. Owns no notation (rules/)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html

from bunnymoose_cv.errors import InputError
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from nicegui.element import Element
    from nicegui.events import GenericEventArguments

    from bunnymoose_cv.catalogue.texts import Texts
    from bunnymoose_cv.screen.access import Visitor
    from bunnymoose_cv.screen.frame import Frame
    from bunnymoose_cv.sitting.sitting import Sitting

CARDS = "type-cards"
POSE = "type-pose"


def cards_sheet(sitting: Callable[[], Sitting], visitor: Visitor, frame: Frame, texts: Texts) -> None:
    """The dialog to type cards in: one for the next pile, or all that lie on the table."""

    async def lay(event: GenericEventArguments) -> None:
        await frame.attempt(lambda: sitting().lay(parse_table(event.args["cards"]), visitor.name))

    hint = texts("One card for the next pile, or all piles from the left: {example}", example="L.WU+1 B.CD+1/-1 HUNTER")
    with _sheet(CARDS, texts("Type cards"), hint) as form:
        _field("cards", texts("Cards"), "L.WU+1")
        _send(texts("Lay"), texts)
    form.on("submit", lay, js_handler=_SENDS)


def pose_sheet(
    players: Callable[[], tuple[str, ...]], sitting: Callable[[], Sitting], visitor: Visitor, frame: Frame, texts: Texts
) -> None:
    """The dialog to type what a player shows, or showed in the last round."""

    def put_right(typed: dict[str, str]) -> Future[None]:
        player, pose = _player_and_pose(typed["pose"], players(), texts)
        return sitting().put_right(player, pose, visitor.name)

    async def tell(event: GenericEventArguments) -> None:
        await frame.attempt(lambda: put_right(event.args))

    example = f"{texts('Blue')} WU CD t"
    hint = texts("The name, then left and right as the player has them: {example}", example=example)
    with _sheet(POSE, texts("Say what somebody shows"), hint) as form:
        _field("pose", texts("Who shows what"), example)
        _send(texts("Put right"), texts)
    form.on("submit", tell, js_handler=_SENDS)


_SENDS = "(event) => emit(Object.fromEntries(new FormData(event.target)))"
"""What the form holds; the dialog closes by itself, as dialogs' forms do."""


def _player_and_pose(typed: str, players: tuple[str, ...], texts: Texts) -> tuple[str, Pose]:
    words = typed.strip()
    for player in sorted(players, key=len, reverse=True):
        if words.casefold().startswith(player.casefold() + " "):
            return player, Pose.parse(words[len(player) :].strip())
    raise InputError(texts("Nobody is called so: begin with one of {names}.", names=", ".join(players)))


def _sheet(name: str, title: str, hint: str) -> Element:
    sheet = html.dialog(id=name).classes("sheet")
    sheet.props["aria-label"] = title
    with sheet:
        html.h2(title)
        html.p(hint).classes("quiet")
        form: Element = html.form(method="dialog").classes("stack")
    return form


def _field(name: str, label: str, placeholder: str) -> None:
    with html.label().classes("field"):
        html.span(label)
        field = html.input_(name=name, required=True).props("data-first autocomplete=off autocapitalize=off")
        field.props["placeholder"] = placeholder
        field.props["spellcheck"] = "false"


def _send(text: str, texts: Texts) -> None:
    with html.div().classes("row"):
        html.button(text, type="submit").classes("button main")
        html.button(texts("Close"), type="button").classes("button").props("data-closes")
