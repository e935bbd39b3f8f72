"""Contest page: the evidence of one verdict, and its correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Side, parse_headgear
from bunnymoose_cv.voice.phrases import announce
from bunnymoose_cv.web.art.art_names import headgear_name
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.art.headgear_art import headgear_art
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.live.verdict_view import round_view
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.correction_changes import changes_html
from bunnymoose_cv.web.widgets.corrections_list import correction_author, corrections_html
from bunnymoose_cv.web.widgets.frame_viewer import SCRIPT as VIEWER
from bunnymoose_cv.web.widgets.frame_viewer import film_html, viewer_keys
from bunnymoose_cv.web.widgets.gauges import confidence_gauges, gauge_art, measure_gauges, tongue_gauge
from bunnymoose_cv.web.widgets.key_words import KeyWords
from bunnymoose_cv.web.widgets.pose_chooser import SCRIPT as CHOOSER
from bunnymoose_cv.web.widgets.pose_chooser import chooser_html
from bunnymoose_cv.web.widgets.pose_lines import pose_lines
from bunnymoose_cv.web.widgets.seen_entries import entries_part
from bunnymoose_cv.web.widgets.verdict_tiles import SHEETS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from bunnymoose_cv.core.user_settings import Settings
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView
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


def round_html(view: RoundView, texts: Texts, *, may_correct: bool) -> Markup:
    """Cards of a round, with forms for them and the bet for whoever may correct them."""
    return render(
        "contest/round",
        texts,
        number=view.number,
        faces=[drawing(card_face(card, texts)) for card in view.cards],
        cards=" ".join(map(str, view.cards)),
        seats=[each.player for each in view.verdicts],
        bet=view.bet,
        may=may_correct,
    )


def reading_html(seen: RoundEvidenceView | None, seat: int, texts: Texts) -> Markup:
    """Both sides and the tongue, as all frames together say; each frame by itself is a tick on the bar.

    The player's left stands at the left, as in a mirror.

    Args:
        seen: what the frames showed; None where there was nothing to see.
    """
    read = None if seen is None else seen.reading_of(seat)
    if seen is None or read is None:
        return render("contest/reading", texts, sides=())
    settings = load_settings()
    each_frame = [each for index in range(len(seen.frames)) if (each := seen.reading_in(index, seat)) is not None]
    titles = ((Side.LEFT, texts("Left")), (Side.RIGHT, texts("Right")))
    tongue = tongue_gauge(read.tongue, settings.tongue, texts, [each.tongue for each in each_frame])
    return render(
        "contest/reading",
        texts,
        sides=[_side(title, side, (read, *each_frame), settings, texts) for side, title in titles],
        tongue=drawing(gauge_art(tongue)),
    )


def _side(
    title: str, side: Side, readings: Sequence[PlayerEvidence], settings: Settings, texts: Texts
) -> Mapping[str, object]:
    read, *frames = (_of_side(reading, side) for reading in readings)
    headgear = parse_headgear(read.headgear)
    gauges = [*confidence_gauges(read, settings.headgear, texts, frames), *measure_gauges(read, texts, frames)]
    return {
        "title": title,
        "art": drawing(headgear_art(headgear, side)),
        "headgear": headgear_name(headgear, texts),
        "gauges": [drawing(gauge_art(gauge)) for gauge in gauges],
        "reasons": read.reasons,
    }


def _of_side(reading: PlayerEvidence, side: Side) -> HeadgearEvidence:
    return reading.left if side is Side.LEFT else reading.right
