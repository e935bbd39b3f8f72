"""The verdicts page: what the referee saw of everybody at a Bam, why, and what it moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html, ui

from bunnymoose_cv.record.correction_effects import said
from bunnymoose_cv.web.live.updates import follow
from bunnymoose_cv.web.live.verdict_view import round_view, shown_round
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.pages.page_header import KeyWords
from bunnymoose_cv.web.widgets.correction_changes import ChangesWidget
from bunnymoose_cv.web.widgets.html_parts import HtmlPart, HtmlParts
from bunnymoose_cv.web.widgets.player_names import player_name
from bunnymoose_cv.web.widgets.region import Region
from bunnymoose_cv.web.widgets.verdict_tiles import CARDS, SHEETS, tile_parts, tile_places

if TYPE_CHECKING:
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.server.host import Host


def show(host: Host, visitor: Visitor, round_number: int | None = None) -> None:
    """Build the page.

    Args:
        host: what is served.
        visitor: who looks.
        round_number: which round; None for the newest with verdicts, also when another one comes.
    """
    texts = host.texts
    keys = (
        KeyWords(("←", "→"), texts("The round before, the round after")),
        KeyWords(("?",), texts("These keys")),
    )
    with page_frame(host, visitor, texts("Verdicts"), sheets=SHEETS, keys=keys):
        if host.session is None:
            html.h1(texts("No game runs"))
            return
        follow(host, _Verdicts(host, visitor, round_number).show)


class _Verdicts:
    """The page of one visitor."""

    def __init__(self, host: Host, visitor: Visitor, number: int | None) -> None:
        self._host, self._visitor, self._texts, self._number = host, visitor, host.texts, number
        self._session = host.session
        with html.div().classes("verdicts-page stack wide"):
            self._head: Region[tuple[int | None, int]] = Region(html.header().classes("row apart"), self._build_head)
            self._facts: Region[tuple[str, str | None] | None] = Region(
                html.p().classes("row tight"), self._build_facts
            )
            self._problem: Region[str] = Region(html.div(role="alert"), self._build_problem)
            self._cards = HtmlPart("laid-cards")
            with html.div().classes("verdicts"):
                self._tiles = HtmlParts(dict.fromkeys(tile_places(host.at_table().state.game), "tile"))
            self._said: Region[tuple[str, ...]] = Region(html.section(), self._build_said)
            self._changes = ChangesWidget(host)

    def show(self, state: TableState) -> None:
        """Show what stands."""
        if self._host.session is not self._session:
            ui.navigate.reload()
            return
        newest = shown_round(state.game)
        number = self._number or newest
        view = None if number is None else round_view(state, number)
        self._head.show((None if view is None else view.number, newest or 0))
        self._facts.show(None if view is None else (view.narrator, view.bet))
        self._problem.show("" if view is None else view.problem)
        parts = tile_parts(state, self._visitor, self._texts, self._number)
        self._cards.show(parts[CARDS])
        self._tiles.show(parts)
        self._said.show(() if view is None else said(view.played, self._texts.language))
        self._changes.show(state)

    def _build_head(self, shown: tuple[int | None, int]) -> None:
        number, newest = shown
        texts = self._texts
        if number is None:
            html.h1(texts("Nobody has been judged yet") if not newest else texts("There is no such round"))
            return
        html.h1(texts("Round {number}: the verdicts", number=number))
        nav = html.nav().classes("row tight")
        nav.props["aria-label"] = texts("Rounds")
        with nav:
            if number > 1:
                _way(texts("← Round {number}", number=number - 1), number - 1, "ArrowLeft")
            if number < newest:
                _way(texts("Round {number} →", number=number + 1), number + 1, "ArrowRight")

    def _build_facts(self, facts: tuple[str, str | None] | None) -> None:
        """Show the narrator and the bet."""
        if facts is None:
            return
        narrator, bet = facts
        game = self._host.session.state.game if self._host.session is not None else None
        if game is None:
            return
        player_name(narrator, game)
        html.span(self._texts("narrates") if bet is None else self._texts("narrates and bets on"))
        if bet is not None:
            player_name(bet, game)

    def _build_problem(self, problem: str) -> None:
        if problem:
            html.p(self._texts(problem)).classes("notice bad")

    def _build_said(self, lines: tuple[str, ...]) -> None:
        """All that was announced, once the round is over."""
        if lines:
            html.h2(self._texts("Announced"))
            with html.ol().classes("announced"):
                for line in lines:
                    html.li(line)


def _way(text: str, number: int, key: str) -> None:
    html.a(text, href=f"/verdicts/{number}").classes("button").props(f"aria-keyshortcuts={key}")
