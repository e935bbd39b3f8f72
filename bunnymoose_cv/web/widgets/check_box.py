"""Box on a page that NiceGUI makes: taken or left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nicegui import html

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import GenericEventArguments

CHECKED: Final = "(event) => emit(event.target.checked)"


def check(told: str, chosen: bool, choose: Callable[[bool], object]) -> None:  # noqa: FBT001 - what the box shows
    """One that is taken or left.

    Args:
        told: what it is.
        chosen: whether it is taken.
        choose: is called with whether somebody takes it.
    """

    def take(event: GenericEventArguments) -> None:
        choose(bool(event.args))

    with html.label().classes("option"):
        box = html.input_(type="checkbox").on("change", take, js_handler=CHECKED)
        box.props["data-focus"] = told
        box.props("checked" if chosen else "")
        html.span(told)
