"""Ranking: place, name and the positions of both figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game


def ranking_html(game: Game, texts: Texts) -> Markup:
    """The ranking: the rear figure counts, the front one breaks ties."""
    return render("round/ranking", texts, game=game, styles=styles_of(game.players, game.colours))
