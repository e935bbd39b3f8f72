"""Summary of an evening: the ranking, and the standings as a plot for the eye and as a table of the same numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.record.past_evening import standings
from bunnymoose_cv.web.art.standings_plot import StandingsLine, standings_plot
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.templates.rendering import drawing, render

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game


def ranking_html(game: Game, texts: Texts) -> Markup:
    """The ranking: the rear figure counts, the front one breaks ties."""
    return render("round/ranking", texts, game=game, styles=styles_of(game.players, game.colours))


def summary_html(game: Game, texts: Texts) -> Markup:
    """Ranking, plot and table: rear and front figure of everybody after each round."""
    styles = styles_of(game.players, game.colours)
    lines = [
        StandingsLine(player, styles[player].colour, styles[player].symbol, *both)
        for player, both in standings(game).items()
    ]
    return render(
        "history/summary",
        texts,
        ranking=ranking_html(game, texts),
        plot=drawing(standings_plot(lines, texts)),
        lines=lines,
        rounds=len(game.rounds),
        styles=styles,
    )
