"""Changes by the last correction: announcements, figures and the ranking, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html

from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.web.widgets.player_names import player_name
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from bunnymoose_cv.record.correction_effects import ChangedFigure, ChangedLines, Changes
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.ranking import Standing
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.server.host import Host


class ChangesWidget:
    """Shows the changes while they are news: until the next round begins.

    Args:
        host: whose session.
    """

    def __init__(self, host: Host) -> None:
        self._texts = host.texts
        self._game: Game | None = None
        section = html.section(role="status").classes("changes")
        self._region: Region[Changes | None] = Region(section, self._build)

    def show(self, state: TableState) -> None:
        """Show what stands."""
        self._game = state.game
        self._region.show(state.changes)

    def _build(self, changed: Changes | None) -> None:
        if changed is None or self._game is None:
            return
        texts = self._texts
        with html.div().classes("panel good"):
            html.h2(texts("What the correction changed"))
            if not changed.lines and not changed.figures:
                html.p(texts("Nothing else changes."))
            for lines in changed.lines:
                self._build_lines(lines)
            if changed.figures:
                self._build_figures(changed.figures)
            if changed.before != changed.after:
                self._build_rankings(changed, self._game)
            elif changed.figures:
                html.p(texts("The ranking stays as it was."))

    def _build_lines(self, lines: ChangedLines) -> None:
        html.h3(self._texts("Round {number}", number=lines.round_number))
        with html.ul().classes("lines-changed"):
            for line in lines.before:
                if line not in lines.after:
                    self._build_line("del", self._texts("no longer:"), line)
            for line in lines.after:
                if line not in lines.before:
                    self._build_line("ins", self._texts("now:"), line)

    def _build_line(self, sort: str, spoken: str, line: str) -> None:
        with html.li().classes(sort):
            html.span(spoken).classes("spoken")
            (html.del_ if sort == "del" else html.ins)(line)

    def _build_figures(self, figures: tuple[ChangedFigure, ...]) -> None:
        """Show the figures after the last round that differs, which are today's."""
        texts = self._texts
        last = {figure.figure: figure for figure in figures}
        with html.ul().classes("figures-changed"):
            for figure in last.values():
                name = texts("moose") if figure.figure.animal is Animal.MOOSE else texts("rabbit")
                html.li(
                    texts(
                        "{player}’s {animal} after round {number}: space {after} instead of {before}",
                        player=figure.figure.player,
                        animal=name,
                        number=figure.round_number,
                        after=figure.after,
                        before=figure.before,
                    )
                )

    def _build_rankings(self, changed: Changes, game: Game) -> None:
        with html.div().classes("rankings row"):
            self._build_ranking(self._texts("Ranking before"), changed.before, game)
            self._build_ranking(self._texts("Ranking now"), changed.after, game)

    def _build_ranking(self, title: str, standings: tuple[Standing, ...], game: Game) -> None:
        with html.section():
            html.h3(title)
            with html.ol().classes("ranking"):
                for standing in standings:
                    with html.li().classes("row tight"):
                        html.span(self._texts("{place}.", place=standing.place)).classes("number")
                        player_name(standing.player, game)
                        html.span(f"{standing.rear} / {standing.front}").classes("number quiet")
