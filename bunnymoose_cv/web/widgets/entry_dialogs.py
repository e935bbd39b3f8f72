"""Dialogs of the table to type what lies there, and what somebody shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.web.auth.access import Role
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.cards_entry import entry_html

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.auth.access import Visitor


def sheets_html(visitor: Visitor, player: str, texts: Texts) -> Markup:
    """The dialogs that a visitor may ever use.

    Args:
        player: stands in the example; the same throughout a game, so that an open dialog stays.
    """
    sheets = drawing("")
    if visitor.role is not Role.GUEST:
        sheets += render("table/cards_sheet", texts, entry=entry_html(texts))
    if visitor.role is Role.OWNER:
        sheets += render("table/pose_sheet", texts, player=player)
    return sheets
