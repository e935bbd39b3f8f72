"""The ranking as everybody sees it: place, name, and how far both figures are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html

from bunnymoose_cv.web.widgets.player_names import player_name

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game


def ranking_widget(game: Game, texts: Texts) -> None:
    """Build the ranking: the rear figure counts, the front one breaks ties."""
    html.h2(texts("Ranking"))
    with html.ol().classes("ranking"):
        for standing in game.ranking:
            with html.li().classes("first" if standing.place == 1 and game.rounds else ""):
                html.span(texts("{place}.", place=standing.place)).classes("place number")
                player_name(standing.player, game)
                spaces = html.span().classes("spaces number")
                with spaces:
                    html.strong(str(standing.rear))
                    html.span(f"/{standing.front}").classes("quiet")
                    html.span(texts("rear figure and front figure")).classes("spoken")
