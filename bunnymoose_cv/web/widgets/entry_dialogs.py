"""Dialogs of the table to type what lies there, and what somebody shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.player_names import player_and_rest
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.auth.access import Role
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.cards_entry import entry_html

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.auth.access import Visitor


_TONGUE_OUT = re.compile(r"\bT$")
"""The one small letter of the notation, after it was made large with the others."""


def sheets_html(visitor: Visitor, texts: Texts) -> Markup:
    """The dialogs that a visitor may ever use."""
    sheets = drawing("")
    if visitor.role is not Role.GUEST:
        sheets += render("table/cards_sheet", texts, entry=entry_html(texts))
    if visitor.role is Role.OWNER:
        sheets += render("table/pose_sheet", texts)
    return sheets


def player_and_pose(typed: str, players: Sequence[str]) -> tuple[str, Pose]:
    """Read who shows what.

    Args:
        typed: a name, then a pose in the notation, in small letters too.
        players: who play.

    Raises:
        InputError: nobody is called so, or there is no such pose.
    """
    told = player_and_rest(typed, players)
    if told is None:
        raise InputError(Phrase("Nobody is called so: begin with one of {names}.", names=", ".join(players)))
    player, pose = told
    return player, Pose.parse(_TONGUE_OUT.sub("t", pose.upper()))
