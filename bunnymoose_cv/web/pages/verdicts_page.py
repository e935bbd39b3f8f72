"""The verdicts page: what the referee saw of everybody at a Bam, why, and what it moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.record.correction_effects import said
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.live.verdict_view import round_view, shown_round
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.correction_changes import changes_html
from bunnymoose_cv.web.widgets.key_words import KeyWords
from bunnymoose_cv.web.widgets.verdict_tiles import CARDS, SHEETS, tile_parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.verdict_view import RoundView


def page(host: Host, visitor: Visitor, round_number: int | None = None) -> HtmlPage:
    """Build the page.

    Args:
        round_number: which round; None for the newest with verdicts, also when another one comes.
    """
    texts, session = host.texts, host.session
    parts = _nothing_runs(texts) if session is None else _parts(session.state, visitor, texts, round_number)
    keys = (
        KeyWords(("←", "→"), texts("The round before, the round after")),
        KeyWords(("?",), texts("These keys")),
    )
    return HtmlPage("verdicts/page", texts("Verdicts"), parts, sheets=SHEETS, keys=keys)


def _nothing_runs(texts: Texts) -> Mapping[str, Markup]:
    empty = dict.fromkeys(("facts", "problem", CARDS, "said", "changes"), drawing(""))
    return {"head": render("verdicts/head", texts, title=texts("No game runs"), number=None), **empty}


def _parts(state: TableState, visitor: Visitor, texts: Texts, number: int | None) -> Mapping[str, Markup]:
    newest = shown_round(state.game) or 0
    view = round_view(state, number or newest)
    return {
        "head": _head(view, newest, texts),
        **_about(view, state, texts),
        **tile_parts(state, visitor, texts, number),
        "changes": changes_html(state, texts),
    }


def _head(view: RoundView | None, newest: int, texts: Texts) -> Markup:
    if view is None:
        title = texts("There is no such round") if newest else texts("Nobody has been judged yet")
        return render("verdicts/head", texts, title=title, number=None)
    title = texts("Round {number}: the verdicts", number=view.number)
    return render("verdicts/head", texts, title=title, number=view.number, newest=newest)


def _about(view: RoundView | None, state: TableState, texts: Texts) -> Mapping[str, Markup]:
    """Narrator and bet, trouble with the evidence, and all that was announced once the round is over."""
    if view is None:
        return dict.fromkeys(("facts", "problem", "said"), drawing(""))
    lines = said(view.played, texts.language)
    styles = styles_of(state.game.players, state.game.colours)
    return {
        "facts": render("verdicts/facts", texts, view=view, styles=styles),
        "problem": render("verdicts/problem", texts, problem=view.problem),
        "said": render("verdicts/said", texts, lines=lines),
    }
