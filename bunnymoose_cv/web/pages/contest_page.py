"""Contest page: the evidence of one verdict, and its correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.voice.phrases import announce
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.live.verdict_view import round_view
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.correction_changes import changes_html
from bunnymoose_cv.web.widgets.corrections_list import correction_author, corrections_html
from bunnymoose_cv.web.widgets.frame_viewer import SCRIPT as VIEWER
from bunnymoose_cv.web.widgets.frame_viewer import film_html, viewer_keys
from bunnymoose_cv.web.widgets.key_words import KeyWords
from bunnymoose_cv.web.widgets.pose_chooser import SCRIPT as CHOOSER
from bunnymoose_cv.web.widgets.pose_chooser import chooser_html
from bunnymoose_cv.web.widgets.pose_lines import pose_lines
from bunnymoose_cv.web.widgets.reading_panel import reading_html
from bunnymoose_cv.web.widgets.round_facts import round_html
from bunnymoose_cv.web.widgets.seen_entries import entries_part
from bunnymoose_cv.web.widgets.verdict_tiles import SHEETS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.verdict_view import RoundView, VerdictView


def page(host: Host, visitor: Visitor, round_number: int, seat: int) -> HtmlPage:
    """Build the page.

    Args:
        seat: whose verdict, counted from 1 at the image's left.
    """
    texts, state = host.texts, None if host.session is None else host.session.state
    view = None if state is None else round_view(state, round_number)
    verdict = None if view is None else view.of_seat(seat)
    parts: Mapping[str, Markup]
    if state is None or view is None or verdict is None:
        template, parts = "contest/absent", {"head": _absent(texts, runs=state is not None)}
    else:
        template, parts = "contest/page", _parts(state, view, verdict, visitor, texts)
    keys = (*viewer_keys(texts), KeyWords(("?",), texts("These keys")))
    sheets, scripts = (*SHEETS, "contest"), (VIEWER, CHOOSER)
    return HtmlPage(template, texts("Contest"), parts, sheets=sheets, scripts=scripts, keys=keys)


def _absent(texts: Texts, *, runs: bool) -> Markup:
    title = texts("There is no such verdict") if runs else texts("No game runs")
    return render("contest/absent_head", texts, title=title, runs=runs)


def _parts(
    state: TableState, view: RoundView, verdict: VerdictView, visitor: Visitor, texts: Texts
) -> Mapping[str, Markup]:
    player, styles = verdict.player, styles_of(state.game.players, state.game.colours)
    may = visitor.may(Action.CORRECT_POSE, player)
    may_undo = view.can_take_back and visitor.may(Action.UNDO)
    return {
        **entries_part(state),
        "head": render("contest/head", texts, number=view.number, player=player, styles=styles),
        "verdict": _verdict(verdict, texts, may=may),
        "film": film_html(view.seen, verdict.seat, player, texts),
        "reading": reading_html(view.seen, verdict.seat, texts),
        "chooser": chooser_html(view, verdict, state.game, texts) if may else drawing(""),
        "changes": changes_html(state, texts),
        "corrections": corrections_html(view.corrections, texts, may_undo=may_undo),
        "round": round_html(view, texts, may_correct=visitor.may(Action.CORRECT_TABLE)),
    }


def _verdict(verdict: VerdictView, texts: Texts, *, may: bool) -> Markup:
    """The verdict that stands, and who said it where people did."""
    said = (*((verdict.told,) if verdict.told is not None else ()), *verdict.corrections)[-1:]
    score, pose = verdict.score, verdict.pose
    return render(
        "contest/verdict",
        texts,
        verdict=verdict,
        say="" if score is None else announce(score.species, score.total, (), texts.language),
        art="" if pose is None else drawing(pose_art(pose, texts)),
        lines=() if pose is None else pose_lines(pose, texts),
        author=correction_author(said[0], texts) if said else "",
        may=may,
    )
