"""A page of the game while no game runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.widgets.key_words import KeyWords


def no_game_page(title: str, texts: Texts, keys: tuple[KeyWords, ...], *, begins: bool = False) -> HtmlPage:
    """Build the page.

    Args:
        title: of the page that there would be.
        begins: whether the visitor can begin a game.
    """
    parts = {"no-game": render("round/no_game", texts, begins=begins)}
    return HtmlPage("no_game", title, parts, sheets=("table",), keys=keys)
