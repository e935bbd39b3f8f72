"""Typing cards in the notation: what was understood so far is shown while one types, and where it is not understood.

The same on the narrator's page and in the dialog of the table, which closes when the cards lie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html, ui

from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.pose import NotationError
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from nicegui.events import GenericEventArguments

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Table

FIELD = "typed-cards"
MOST_CHARACTERS = 200
"""Room for more cards than any table has piles."""


class CardsEntry:
    """The field and what is understood of it; built where it is made.

    Args:
        lay: lays a card on the next pile, or one on each pile, and tells whether they lie.
        piles: how many there are.
        texts: of the language of the table.
        key: leads to the field; none in a dialog, which has one of its own.
    """

    def __init__(
        self, lay: Callable[[Table], Awaitable[bool]], piles: int, texts: Texts, key: str | None = None
    ) -> None:
        self._lay = lay
        self._piles = piles
        self._texts = texts
        self._all = html.fieldset().classes("typed")
        with self._all:
            html.legend(texts("Type cards")).classes("spoken")
            with html.form().classes("stack") as form:
                with html.label().classes("field") as label:
                    html.span(texts("Cards in the notation"))
                    self._field = self._build_field()
                html.button(texts("Lay"), type="submit").classes("button main")
            self._understood: Region[str] = Region(html.div(id=f"{FIELD}-understood"), self._build_understood)
        if key:
            label.props["aria-keyshortcuts"] = key
        form.on("submit", self._submit, js_handler=_SENDS)
        self._field.on("input", self._preview, js_handler="(event) => emit(event.target.value)", throttle=0.1)
        self._understood.show("")

    def show(self, *, is_open: bool) -> None:
        """Show whether this visitor may lay cards now."""
        if is_open:
            self._all.props(remove="disabled")
        else:
            self._all.props("disabled")

    def _build_field(self) -> html.input_:
        field = html.input_(id=FIELD, name="cards", required=True)
        field.props(
            f"data-first maxlength={MOST_CHARACTERS} autocomplete=off autocapitalize=characters autocorrect=off"
        )
        field.props["spellcheck"] = "false"
        field.props["placeholder"] = "L.WU+1 B.CD+1/-1 HUNTER"
        field.props["aria-describedby"] = f"{FIELD}-understood"
        return field

    def _preview(self, event: GenericEventArguments) -> None:
        self._understood.show(_typed(event.args))

    async def _submit(self, event: GenericEventArguments) -> None:
        typed = _typed(event.args)
        self._understood.show(typed)
        try:
            cards = parse_table(typed)
        except NotationError:
            return  # the place is pointed at already
        if await self._lay_all(cards):
            self._understood.show("")
            ui.run_javascript(_DONE)

    async def _lay_all(self, cards: Table) -> bool:
        """One card on each pile, or on the next piles one after the other."""
        if len(cards) == self._piles:
            return await self._lay(cards)
        for card in cards:
            if not await self._lay((card,)):
                return False
        return True

    def _build_understood(self, typed: str) -> None:
        if not typed.strip():
            html.p(self._texts("One card for the next pile, several for the next ones, or one for each pile.")).classes(
                "quiet small"
            )
            return
        try:
            cards = parse_table(typed)
        except NotationError as error:
            self._build_mistake(error)
            return
        with html.ol().classes("understood"):
            for card in cards:
                with html.li():
                    ui.html(card_face(card, self._texts), sanitize=False).classes("face")

    def _build_mistake(self, error: NotationError) -> None:
        """Show the typed text with the place marked, the sentence, and the cards that stand before it."""
        end = next(
            (at for at, sign in enumerate(error.text) if at > error.position and sign.isspace()), len(error.text)
        )
        with html.p().classes("typed-text").props("aria-hidden=true"):
            html.span(error.text[: error.position])
            html.mark(error.text[error.position : end] or "\N{NO-BREAK SPACE}")
            html.span(error.text[end:])
        html.p(self._texts(error.sentence)).classes("mistake").props("role=status")


def _typed(value: object) -> str:
    """Return a browser's typed text: small letters are meant as large ones, but for nothing the notation knows."""
    return str(value)[:MOST_CHARACTERS].upper()


_DONE = f"""
const field = document.getElementById('{FIELD}');
field.value = '';
field.closest('dialog')?.close();
"""

_SENDS = "(event) => { event.preventDefault(); emit(event.target.elements.cards.value); }"
