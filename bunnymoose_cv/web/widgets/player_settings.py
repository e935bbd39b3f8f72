"""The players on the set-up page: names in the order round the table, each with colour and symbol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS
from bunnymoose_cv.web.live.setup_changes import COLOURS
from bunnymoose_cv.web.live.setup_choices import LONGEST_NAME
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.live.setup_choices import Choices


def players_html(choices: Choices, texts: Texts) -> Markup:
    """The list of players, with what can be done with each; every button sends all names along."""
    rows = [(player, style := choices.styles[player], texts(COLOURS[style.number - 1])) for player in choices.players]
    return render(
        "setup/players",
        texts,
        rows=rows,
        longest=LONGEST_NAME,
        can_leave=len(rows) > FEWEST_PLAYERS,
        can_come=len(rows) < MOST_PLAYERS,
    )
