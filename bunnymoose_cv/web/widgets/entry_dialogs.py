"""Dialogs of the table to type what lies there, and what somebody shows."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from nicegui import html

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.templates.rendering import render
from bunnymoose_cv.web.widgets.cards_entry import entry_html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from markupsafe import Markup
    from nicegui.events import GenericEventArguments

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.pages.page_frame import PageFrame

CARDS = "type-cards"
POSE = "type-pose"


def cards_sheet_html(texts: Texts) -> Markup:
    """The dialog to type cards in."""
    return render("table/cards_sheet", texts, sheet=CARDS, entry=entry_html(texts))


def pose_sheet(
    players: Callable[[], tuple[str, ...]],
    session: Callable[[], Session],
    visitor: Visitor,
    frame: PageFrame,
    texts: Texts,
) -> None:
    """The dialog to type what a player shows, or showed in the last round."""

    def put_right(typed: dict[str, str]) -> Future[None]:
        player, pose = _player_and_pose(typed["pose"], players(), texts)
        return session().put_right(player, pose, visitor.name)

    async def tell(event: GenericEventArguments) -> None:
        await frame.attempt(lambda: put_right(event.args))

    example = f"{texts('Blue')} WU CD t"
    hint = texts("The name, then left and right as the player has them: {example}", example=example)
    with _sheet(POSE, texts("Say what somebody shows")):
        html.p(hint).classes("quiet")
        with html.form(method="dialog").classes("stack") as form:
            _field("pose", texts("Who shows what"), example)
            with html.div().classes("row"):
                html.button(texts("Put right"), type="submit").classes("button main")
                _close(texts)
    form.on("submit", tell, js_handler=_SENDS)


_SENDS = "(event) => emit(Object.fromEntries(new FormData(event.target)))"
"""JavaScript that sends the form's content; the dialog closes by itself, as dialogs' forms do."""


def _player_and_pose(typed: str, players: tuple[str, ...], texts: Texts) -> tuple[str, Pose]:
    words = typed.strip()
    for player in sorted(players, key=len, reverse=True):
        if words.casefold().startswith(player.casefold() + " "):
            return player, Pose.parse(words[len(player) :].strip())
    raise InputError(texts("Nobody is called so: begin with one of {names}.", names=", ".join(players)))


@contextmanager
def _sheet(name: str, title: str) -> Iterator[None]:
    sheet = html.dialog(id=name).classes("sheet")
    sheet.props["aria-label"] = title
    with sheet, html.div().classes("stack"):
        html.h2(title)
        yield


def _field(name: str, label: str, placeholder: str) -> None:
    with html.label().classes("field"):
        html.span(label)
        field = html.input_(name=name, required=True).props("data-first autocomplete=off autocapitalize=off")
        field.props["placeholder"] = placeholder
        field.props["spellcheck"] = "false"


def _close(texts: Texts) -> None:
    html.button(texts("Close"), type="button").classes("button").props("data-closes")
