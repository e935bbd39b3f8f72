"""A form to say what somebody shows: a headgear for each side, and the tongue, in pictures.

Plain radio buttons under the pictures, so that mouse, touch, arrow keys and screen readers all work by themselves. All
is as in a mirror and on the cards: the player's left stands at the left.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from nicegui import html, ui

from bunnymoose_cv.rules.pose import (
    HEADGEARS,
    Headgear,
    NotationError,
    Pose,
    Side,
    Tongue,
    format_headgear,
    parse_headgear,
)
from bunnymoose_cv.web.art.art_names import headgear_name
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.art.headgear_art import headgear_art
from bunnymoose_cv.web.art.ink import TONGUE
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from nicegui.events import GenericEventArguments

    from bunnymoose_cv.i18n.texts import Texts

_SENDS: Final = "(event) => { event.preventDefault(); emit(Object.fromEntries(new FormData(event.currentTarget))); }"
_TELLS: Final = "(event) => emit(Object.fromEntries(new FormData(event.currentTarget)))"
"""JavaScript that sends the form's content."""


class PoseChooser:
    """The form.

    Args:
        pose: what is chosen at first.
        player: who shows it, for the words.
        choose: is given what people choose.
        consequence: what a pose would score, in words; empty where that is not known.
        texts: in the language of the table.
    """

    def __init__(
        self,
        pose: Pose,
        player: str,
        choose: Callable[[Pose], Awaitable[None]],
        consequence: Callable[[Pose], str],
        texts: Texts,
    ) -> None:
        self._choose, self._consequence, self._texts = choose, consequence, texts
        form = html.form().classes("chooser stack").on("submit", self._send, js_handler=_SENDS)
        form.on("change", self._preview, js_handler=_TELLS)
        with form:
            with html.div().classes("sides"):
                ui.html(self._side(Side.LEFT, pose.left, texts("On {player}’s left", player=player)), sanitize=False)
                ui.html(self._side(Side.RIGHT, pose.right, texts("On {player}’s right", player=player)), sanitize=False)
            ui.html(self._tongue(pose.tongue), sanitize=False)
            with html.div().classes("row result"):
                self._art = ui.html("", sanitize=False).classes("pose")
                self._words: Region[str] = Region(html.output().classes("large grow"), html.span)
                html.button(texts("Put right"), type="submit").classes("button main large")
        self._show(pose)

    async def _send(self, event: GenericEventArguments) -> None:
        pose = _pose_of(event.args)
        if pose is not None:
            await self._choose(pose)

    def _preview(self, event: GenericEventArguments) -> None:
        pose = _pose_of(event.args)
        if pose is not None:
            self._show(pose)

    def _show(self, pose: Pose) -> None:
        """Show the chosen pose, and its score."""
        self._art.content = pose_art(pose, self._texts)
        self._words.show(self._consequence(pose))

    def _side(self, side: Side, chosen: Headgear, title: str) -> str:
        options = "".join(
            _option(
                side.name.lower(),
                format_headgear(headgear),
                headgear_art(headgear, side),
                headgear_name(headgear, self._texts),
                checked=headgear == chosen,
            )
            for headgear in HEADGEARS
        )
        return _fieldset(title, options)

    def _tongue(self, chosen: Tongue) -> str:
        named = ((Tongue.IN, self._texts("tongue in"), ""), (Tongue.OUT, self._texts("tongue out"), _TONGUE_OUT))
        options = "".join(
            _option(
                "tongue",
                tongue.value,
                f'<svg viewBox="0 0 64 40" aria-hidden="true">{_MOUTH}{art}</svg>',
                words,
                checked=tongue is chosen,
            )
            for tongue, words, art in named
        )
        return _fieldset(self._texts("Tongue"), options, "tongues")


def _pose_of(chosen: dict[str, str]) -> Pose | None:
    """The pose that the form holds; None where somebody sent something else than the form's own values."""
    tongue = Tongue.OUT if chosen.get("tongue") == Tongue.OUT.value else Tongue.IN
    try:
        return Pose(parse_headgear(chosen.get("left", "")), parse_headgear(chosen.get("right", "")), tongue)
    except NotationError:
        return None


def _fieldset(title: str, options: str, kind: str = "") -> str:
    return f'<fieldset class="{kind}"><legend>{escape(title)}</legend><div class="options">{options}</div></fieldset>'


def _option(name: str, value: str, art: str, words: str, *, checked: bool) -> str:
    state = " checked" if checked else ""
    return f'<label><input type="radio" name="{name}" value="{value}"{state}>{art}<span>{escape(words)}</span></label>'


_MOUTH: Final = (
    '<path d="M8 12C20 24 44 24 56 12" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round"/>'
)
_TONGUE_OUT: Final = f'<path d="M24 19V28A8 8 0 0 0 40 28V19Z" fill="{TONGUE}" stroke="currentColor" stroke-width="3"/>'
