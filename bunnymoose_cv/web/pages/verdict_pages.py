"""Pages about verdicts: those of a whole round, and the evidence of one with its correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.announcements.announcing import round_lines
from bunnymoose_cv.announcements.phrases import announce
from bunnymoose_cv.art.art_names import headgear_name
from bunnymoose_cv.art.card_art import card_face
from bunnymoose_cv.art.head_art import headgear_art, pose_art
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Side, parse_headgear
from bunnymoose_cv.rules.provenance import NOBODY
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.live.verdict_view import round_view, shown_round
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.controls import entries_part
from bunnymoose_cv.web.widgets.gauges import confidence_gauges, gauge_art, measure_gauges, tongue_gauge
from bunnymoose_cv.web.widgets.landmarks import film_html, viewer_keys
from bunnymoose_cv.web.widgets.poses import chooser_html, pose_lines
from bunnymoose_cv.web.widgets.round_summary import changes_html, correction_author, corrections_html
from bunnymoose_cv.web.widgets.verdict_tiles import CARDS, SHEETS, tile_parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from bunnymoose_cv.core.user_settings import Settings
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.evidence_json import PlayerEvidence
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView
    from bunnymoose_cv.web.live.verdict_view import RoundView, VerdictView
    from bunnymoose_cv.web.pages.html_page import Keys


def verdicts_page(host: Host, visitor: Visitor, round_number: int | None = None) -> HtmlPage:
    """Build the page of a round: by its number, or of the newest judged round if None."""
    texts, session = host.texts, host.session
    if session is None:
        head = render("verdicts/head", texts, title=texts("No game is running"), number=None)
        parts = {"head": head, **dict.fromkeys(("facts", "problem", CARDS, "said", "changes"), drawing(""))}
    else:
        parts = _verdicts_parts(session.state, visitor, texts, round_number)
    keys: Keys = {("←", "→"): texts("The round before, the round after")}
    return HtmlPage("verdicts/page", texts("Verdicts"), parts, sheets=SHEETS, keys=keys)


def _verdicts_parts(state: TableState, visitor: Visitor, texts: Texts, number: int | None) -> dict[str, Markup]:
    newest = shown_round(state.game) or 0
    view, styles = round_view(state, number or newest), styles_of(state.game.players, state.game.colours)
    if view is None:
        title = texts("There is no such round") if newest else texts("Nobody has been judged yet")
        about = dict.fromkeys(("facts", "problem", "said"), drawing(""))
    else:
        title = texts("Round {number}: the verdicts", number=view.number)
        about = {
            "facts": render("verdicts/facts", texts, view=view, styles=styles),
            "problem": render("verdicts/problem", texts, problem=view.problem, blind=True),
            "said": render("verdicts/said", texts, lines=round_lines(view.played, texts.language)),
        }
    return {
        "head": render(
            "verdicts/head", texts, title=title, number=None if view is None else view.number, newest=newest
        ),
        **about,
        **tile_parts(state, visitor, texts, number),
        "changes": changes_html(state, texts),
    }


def contest_page(host: Host, visitor: Visitor, round_number: int, seat: int) -> HtmlPage:
    """Build the page about the player in a seat, counted from 1 at the image's left."""
    texts, state = host.texts, None if host.session is None else host.session.state
    view = None if state is None else round_view(state, round_number)
    verdict = None if view is None else view.of_seat(seat)
    parts: Mapping[str, Markup]
    if state is None or view is None or verdict is None:
        title = texts("No game is running") if state is None else texts("There is no such verdict")
        head = render("contest/absent_head", texts, title=title, runs=state is not None)
        template, parts = "contest/absent", {"head": head}
    else:
        template, parts = "contest/page", _contest_parts(state, view, verdict, visitor, texts)
    sheets, scripts = (*SHEETS, "contest"), ("viewer", "chooser")
    return HtmlPage(template, texts("Contest"), parts, sheets=sheets, scripts=scripts, keys=viewer_keys(texts))


def _contest_parts(
    state: TableState, view: RoundView, verdict: VerdictView, visitor: Visitor, texts: Texts
) -> Mapping[str, Markup]:
    player, styles = verdict.player, styles_of(state.game.players, state.game.colours)
    may = visitor.may(Action.CORRECT_POSE, player)
    may_undo = view.can_take_back and visitor.may(Action.UNDO)
    return {
        **entries_part(state),
        "head": render("contest/head", texts, number=view.number, player=player, styles=styles),
        "verdict": _verdict(verdict, state.game.narrator, texts, may=may),
        "film": film_html(view.seen, verdict.seat, player, texts),
        "reading": reading_html(view.seen, verdict.seat, texts),
        "chooser": chooser_html(view, verdict, state.game, texts) if may else drawing(""),
        "changes": changes_html(state, texts),
        "corrections": corrections_html(view.corrections, texts, may_undo=may_undo),
        "round": round_html(view, texts, may_correct=visitor.may(Action.CORRECT_TABLE)),
    }


def _verdict(verdict: VerdictView, narrator: str, texts: Texts, *, may: bool) -> Markup:
    """Render the current verdict, with its author if a person gave it."""
    said = (*((verdict.decision,) if verdict.decision is not None else ()), *verdict.corrections)[-1:]
    score, pose = verdict.score, verdict.pose
    return render(
        "contest/verdict",
        texts,
        verdict=verdict,
        narrator=narrator,
        say="" if score is None else announce(score.species, score.total, (), texts.language),
        art="" if pose is None else drawing(pose_art(pose, texts)),
        lines=() if pose is None else pose_lines(pose, texts),
        author=correction_author(said[0], texts) if said else "",
        unanswered=any(entry.who == NOBODY for entry in said),
        may=may,
    )


def round_html(view: RoundView, texts: Texts, *, may_correct: bool) -> Markup:
    """Render the cards of a round, with forms for them and the bet if the visitor may correct them."""
    return render(
        "contest/round",
        texts,
        number=view.number,
        faces=[drawing(card_face(card, texts)) for card in view.cards],
        cards=" ".join(map(str, view.cards)),
        seats=[verdict.player for verdict in view.verdicts],
        bet=view.bet,
        may=may_correct,
    )


def reading_html(seen: RoundEvidenceView | None, seat: int, texts: Texts) -> Markup:
    """Render the reading of both sides and the tongue over all frames; each single frame is a tick on the bar."""
    read = None if seen is None else seen.reading_of(seat)
    if seen is None or read is None:
        return render("contest/reading", texts, sides=())
    settings = load_settings()
    each_frame = [each for index in range(len(seen.frames)) if (each := seen.reading_in(index, seat)) is not None]
    titles = ((Side.LEFT, texts("Left")), (Side.RIGHT, texts("Right")))
    tongue = tongue_gauge(read.tongue, settings.tongue, texts, [reading.tongue for reading in each_frame])
    return render(
        "contest/reading",
        texts,
        sides=[_side(title, side, (read, *each_frame), settings, texts) for side, title in titles],
        tongue=drawing(gauge_art(tongue)),
    )


def _side(
    title: str, side: Side, readings: Sequence[PlayerEvidence], settings: Settings, texts: Texts
) -> Mapping[str, object]:
    read, *frames = (reading.left if side is Side.LEFT else reading.right for reading in readings)
    headgear = parse_headgear(read.headgear)
    gauges = [*confidence_gauges(read, settings.headgear, texts, frames), *measure_gauges(read, texts, frames)]
    return {
        "title": title,
        "art": drawing(headgear_art(headgear, side)),
        "headgear": headgear_name(headgear, texts),
        "gauges": [drawing(gauge_art(gauge)) for gauge in gauges],
        "reasons": read.reasons,
    }
