"""The standings of an evening: the plot for the eye, and the same numbers as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html, ui

from bunnymoose_cv.record.past_evening import standings
from bunnymoose_cv.web.art.standings_plot import StandingsLine, standings_plot
from bunnymoose_cv.web.live.player_styles import style_of
from bunnymoose_cv.web.widgets.player_names import player_name

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game


def standings_widget(game: Game, texts: Texts) -> None:
    """Build plot and table."""
    lines = [
        StandingsLine(player, (look := style_of(player, game)).colour, look.symbol, *both)
        for player, both in standings(game).items()
    ]
    with html.figure().classes("standings").props("tabindex=0"):  # it scrolls on a phone
        ui.html(standings_plot(lines, texts), sanitize=False)
        with html.figcaption().classes("small quiet legend"):
            html.span(texts("Thick line, full sign: the rear figure, which counts."))
            html.span(texts("Dashed line, hollow sign: the front figure."))
    with html.details().classes("numbers"):
        html.summary(texts("The same as a table"))
        _table(lines, game, texts)


def _table(lines: list[StandingsLine], game: Game, texts: Texts) -> None:
    """Rear and front figure of everybody after each round."""
    with html.div().classes("scrolls").props("tabindex=0 role=region") as scrolls, html.table():
        scrolls.props["aria-label"] = texts("Standings")
        html.caption(texts("Space of the rear figure / of the front figure")).classes("small quiet")
        with html.thead(), html.tr():
            html.th(texts("Player")).props("scope=col")
            html.th(texts("Start")).classes("number").props("scope=col")
            for number in range(1, len(game.rounds) + 1):
                html.th(texts("Round {number}", number=number)).classes("number").props("scope=col")
        with html.tbody():
            for line in lines:
                with html.tr():
                    with html.th().props("scope=row"):
                        player_name(line.player, game)
                    for rear, front in zip(line.rear, line.front, strict=True):
                        html.td(f"{rear} / {front}").classes("number")
