"""The referee as dealer: begin, rest, tempo, and the poem with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html

from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from nicegui.events import GenericEventArguments

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_state import DealState

SLOWEST_S, FASTEST_S, STEP_S = 8.0, 1.0, 0.5
"""Seconds from one line of the poem to the next."""


class DealerPanel:
    """Controls of the dealer; built where it is made.

    Args:
        deal: begins, or goes on, with a tempo in seconds a line.
        rest: lets the dealer rest.
        texts: of the language of the table.
    """

    def __init__(
        self, deal: Callable[[float], Awaitable[object]], rest: Callable[[], Awaitable[object]], texts: Texts
    ) -> None:
        self._deal = deal
        self._rest = rest
        self._texts = texts
        self._tempo_s = FASTEST_S
        self._state: DealState | None = None
        self._button: Region[tuple[bool, bool]] = Region(html.div(), self._build_button)
        self._tempo: Region[tuple[float, bool]] = Region(html.div(), self._build_tempo)
        self._poem: Region[tuple[tuple[str, ...], int | None]] = Region(html.div(), self._build_poem)

    def show(self, deal: DealState | None, *, is_open: bool) -> None:
        """Show how far the dealer is.

        Args:
            deal: None where nobody can deal but people.
            is_open: whether this visitor may tell the dealer something now.
        """
        self._state = deal
        if deal is None:
            return
        self._tempo_s = deal.tempo_s
        self._button.show((deal.line is not None, is_open))
        self._tempo.show((deal.tempo_s, is_open))
        self._poem.show((tuple(f"{line.draw} {line.lay}" for line in deal.poem), deal.line))

    def _build_button(self, desk: tuple[bool, bool]) -> None:
        deals, is_open = desk
        button = html.button(type="button").classes("button main").props("aria-keyshortcuts=s data-focus=dealer")
        with button:
            html.span(self._texts("Let the dealer rest") if deals else self._texts("Let the referee deal"))
            html.kbd("s").props("aria-hidden=true")
        if not is_open:
            button.props("disabled")
        button.on("click", self._rest if deals else lambda: self._deal(self._tempo_s))

    def _build_tempo(self, desk: tuple[float, bool]) -> None:
        tempo_s, is_open = desk
        with html.label().classes("field tempo"):
            html.span(self._texts("{seconds:g} seconds a line", seconds=tempo_s))
            slider = html.input_(type="range", min=FASTEST_S, max=SLOWEST_S, step=STEP_S)
            slider.props["defaultValue"] = tempo_s  # `value` would be put back while it is being dragged
            slider.props("data-focus=tempo")
            if not is_open:
                slider.props("disabled")
        slider.on("change", self._set_tempo, js_handler="(event) => emit(event.target.value)")

    async def _set_tempo(self, event: GenericEventArguments) -> None:
        """A dealer at work goes on in the new tempo; one that rests begins with it."""
        self._tempo_s = min(max(float(event.args), FASTEST_S), SLOWEST_S)
        if self._state is not None and self._state.line is not None:
            await self._deal(self._tempo_s)

    def _build_poem(self, poem: tuple[tuple[str, ...], int | None]) -> None:
        lines, now = poem
        with html.ol().classes("poem-lines"):
            for number, line in enumerate(lines):
                verse = html.li(line)
                if number == now:
                    verse.props("aria-current=step")
