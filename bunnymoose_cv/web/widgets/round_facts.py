"""The cards and the bet of a round, and putting them right."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from nicegui import html, ui

from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.web.art.card_art import card_face

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from nicegui.events import GenericEventArguments

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.web.pages.page_frame import PageFrame

_SENDS: Final = "(event) => { event.preventDefault(); emit(Object.fromEntries(new FormData(event.currentTarget))); }"


def round_cards(cards: Table, texts: Texts) -> None:
    """Build the cards that lay on the piles."""
    html.h2(texts("The cards"))
    with html.ul().classes("faces"):
        for card in cards:
            with html.li():
                ui.html(card_face(card, texts), sanitize=False)


def cards_form(cards: Table, correct: Callable[[Table], Future[None]], frame: PageFrame, texts: Texts) -> None:
    """Build the form to say that other cards lay there.

    Args:
        cards: what stands.
        correct: puts it right.
        frame: told what cannot be done.
        texts: in the language of the table.
    """

    async def send(event: GenericEventArguments) -> None:
        await frame.attempt(lambda: correct(parse_table(event.args["cards"])))

    with html.form().classes("row").on("submit", send, js_handler=_SENDS):
        with html.label().classes("field grow"):
            html.span(texts("Other cards lay there, from the left"))
            field = html.input_(name="cards", required=True).props(
                "autocomplete=off autocapitalize=off spellcheck=false"
            )
            field.props["value"] = " ".join(map(str, cards))
        html.button(texts("Put the cards right"), type="submit").classes("button")


def bet_form(
    bet: str | None,
    seats: tuple[str, ...],
    correct: Callable[[str | None], Future[None]],
    frame: PageFrame,
    texts: Texts,
) -> None:
    """Build the form to say that the narrator had bet on somebody else, or on nobody.

    Args:
        bet: what stands.
        seats: on whom one could bet.
        correct: puts it right.
        frame: told what cannot be done.
        texts: in the language of the table.
    """

    async def send(event: GenericEventArguments) -> None:
        chosen = str(event.args.get("bet", ""))
        await frame.attempt(lambda: correct(seats[int(chosen)] if chosen.isdecimal() else None))

    options = [("", texts("nobody"), None), *((str(index), player, player) for index, player in enumerate(seats))]
    written = "".join(
        f'<option value="{value}"{" selected" if player == bet else ""}>{escape(words)}</option>'
        for value, words, player in options
    )
    with html.form().classes("row").on("submit", send, js_handler=_SENDS):
        with html.label().classes("field grow"):
            html.span(texts("The narrator had bet on"))
            ui.html(f'<select name="bet">{written}</select>', sanitize=False)
        html.button(texts("Put the bet right"), type="submit").classes("button")
