"""Pages with the camera before a game: the check of the table, practice, and the warm-up.

The camera is open while one of them is watched.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.art.art_names import headgear_name
from bunnymoose_cv.art.head_art import pose_art
from bunnymoose_cv.calibration.checks.check_finding import LEVEL_NAMES, LINE_NAMES, SIGNS, Level
from bunnymoose_cv.calibration.checks.delay_meter import BIT_S, BITS
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.referee.question import EXEMPT_WORDS
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.session.camera_owner import OPENING
from bunnymoose_cv.session.practice.coach import FIELD_NAMES, hint_words
from bunnymoose_cv.session.sources.table_checker import CheckStep, request_of
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpPhase
from bunnymoose_cv.session.warmup.warm_up_round import STEPS
from bunnymoose_cv.web.live.player_styles import STYLES
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.live_video import OverlaySync, art_definitions, missing, overlay

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.pose_fields import PoseField
    from bunnymoose_cv.session.practice.practice import PracticeSession, PracticeState
    from bunnymoose_cv.session.sources.table_checker import CheckState
    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpView
    from bunnymoose_cv.session.warmup.warm_up_round import WarmUpState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.streams import PartsRenderer
    from bunnymoose_cv.web.pages.html_page import Keys

DELAY: Final = "delay"
"""Script and style sheet of the pattern by which a camera's delay is measured, without ending."""


def pattern_html(host: Host) -> Markup:
    """Return the pattern while the check of the table needs it; delay.js animates it."""
    checker = host.camera.check.opened
    if checker is None or checker.state.step is not CheckStep.DELAY:
        return drawing("")
    return render("check/pattern", host.texts, bits=BITS, bit_s=BIT_S)


def check_page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page of the check: the camera's image, and a line for each finding."""
    texts, checker = host.texts, host.camera.check.opened
    words, lines, asks, ready = texts(host.camera.check.problem or OPENING), drawing(""), False, False
    if checker is not None:
        state, levels = checker.state, {finding.level for finding in checker.state.findings}
        asks = request_of(state.step) is not None
        ready = state.step is CheckStep.OVER and Level.BAD not in levels
        words = _describe_step(state, levels, texts)
        findings = [
            (finding, SIGNS[finding.level], texts(LEVEL_NAMES[finding.level]), texts(LINE_NAMES[finding.line]))
            for finding in state.findings
        ]
        lines = render("check/lines", texts, findings=findings)
    parts = {
        "request": render("check/request", texts, words=words),
        "pattern": pattern_html(host),
        "buttons": render("check/buttons", texts, asks=asks, ready=ready, plays=host.session is not None),
        "lines": lines,
    }
    keys: Keys = {
        ("n",): texts("Skip this question"),
        ("a",): texts("Check again"),
        ("f",): texts("Full screen"),
    }
    title, sheets = texts("Is the table ready?"), ("table", "check", DELAY)
    return HtmlPage("check/page", title, parts, sheets=sheets, scripts=(DELAY,), keys=keys)


@contextmanager
def watch_check(host: Host, _visitor: Visitor) -> Iterator[None]:
    """Keep the check open while the page is."""
    with host.camera.check.keep_open():
        yield None


def _describe_step(state: CheckState, levels: set[Level], texts: Texts) -> str:
    """Describe the current step, and in the end the result."""
    request = request_of(state.step)
    if request is not None:
        return texts(request)
    if state.step is CheckStep.LOOK:
        return texts("The camera is being checked: sit as you will play, hands down.")
    if state.step is CheckStep.SPEED:
        return texts("The computer reads five players to see how long it takes.")
    if Level.BAD in levels:
        return texts("Something is not right: see what helps, then check again. You can play all the same.")
    if Level.WEAK in levels:
        return texts("You can play; some things could be better.")
    return texts("The table is ready.")


_CLOSED: Final = Phrase("The mirror is closed.")


def practice_page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page of the practice: the requested pose, the referee's reading, a hint, and counts of agreement."""
    texts, practice, session = host.texts, host.camera.practice, host.camera.practice.opened
    if session is None:
        problem = practice.problem or (_CLOSED if practice.was_closed else OPENING)
        shown: Mapping[str, Markup] = dict.fromkeys(("asked", "tallies", "consent", "kept", "gone"), drawing(""))
    else:
        problem, shown = session.state.problem, _render_practice(session, texts)
    parts = {
        "problem": render("practice/problem", texts, sentence=problem, closed=session is None),
        "art": drawing(art_definitions()),
        **shown,
    }
    keys: Keys = {
        ("n",): texts("Another pose"),
        ("i",): texts("I am showing that"),
        ("f",): texts("Full screen"),
    }
    return HtmlPage("practice/page", texts("Practice"), parts, sheets=("table", "practice"), keys=keys)


@contextmanager
def watch_practice(host: Host, _visitor: Visitor) -> Iterator[PartsRenderer]:
    """Keep the practice open, and yield the renderer of what the referee sees."""

    def render_parts() -> Mapping[str, str]:
        session = host.camera.practice.opened
        return {} if session is None else _render_seen(session.state, host.texts)

    with host.camera.practice.keep_open():
        yield render_parts


def _render_practice(session: PracticeSession, texts: Texts) -> Mapping[str, Markup]:
    practice, lesson = session.state, session.state.lesson
    tallies = [(texts(FIELD_NAMES[tally.field]), tally) for tally in lesson.tallies]
    return {
        "asked": render("practice/asked", texts, number=lesson.number, **_pose_values(lesson.asked, texts)),
        "tallies": render("practice/tallies", texts, done=lesson.done, tallies=tallies),
        "consent": render("practice/consent", texts, consent=practice.consent, folder=str(session.takes_folder)),
        "kept": render("practice/kept", texts, kept=practice.kept),
        "gone": render("practice/gone", texts, kept=practice.kept),
    }


def _render_seen(practice: PracticeState, texts: Texts) -> Mapping[str, Markup]:
    lesson, seen = practice.lesson, practice.lesson.seen
    words = texts("Yes! Hold it.") if lesson.hint is None else hint_words(lesson.hint, texts)
    values = {"lines": ()} if seen is None else _pose_values(seen.pose, texts, seen.unclear)
    over = ""
    if seen is not None and practice.reading is not None:
        you, in_seat_one = texts("You"), replace(seen, player=replace(seen.player, seat=1))
        over = overlay(replace(practice.reading, players=(in_seat_one,)), (you,), {you: STYLES[0]})
    return {
        "over": drawing(over),
        "seen": render("practice/seen", texts, **values),
        "hint": render("practice/hint", texts, words=words),
        "held": render("practice/held", texts, held=lesson.held),
    }


def _pose_values(pose: Pose, texts: Texts, unclear: tuple[PoseField, ...] = ()) -> Mapping[str, object]:
    """Return template values of a pose: its drawing, and its parts in words with a question mark at unclear ones."""
    tongue = texts("stuck out") if pose.tongue is Tongue.OUT else texts("in the mouth")
    parts = (
        (Side.LEFT, texts("Your left"), headgear_name(pose.left, texts)),
        (Side.RIGHT, texts("Your right"), headgear_name(pose.right, texts)),
        (None, texts("Your tongue"), tongue),
    )
    doubted = {field.side for field in unclear}
    lines = [(part, f"{words} ?" if side in doubted else words) for side, part, words in parts]
    return {"art": drawing(pose_art(pose, texts)), "lines": lines}


def warm_up_page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page of the warm-up: the seats, then each pose, then what the referee understood of each player."""
    texts, guide = host.texts, host.camera.warm_up.opened
    problem = (host.camera.warm_up.problem or OPENING) if guide is None else guide.state.problem
    parts = {
        "back": render("warm_up/back", texts, plays=host.session is not None),
        "problem": render("warm_up/problem", texts, sentence=problem),
        "art": drawing(art_definitions()),
        "asked": drawing("") if guide is None else _render_asked(guide.state, texts),
        "people": drawing("") if guide is None else _render_people(guide.players, guide.state, texts),
    }
    keys: Keys = {
        ("b",): texts("Begin the warm-up"),
        ("n",): texts("Skip this pose"),
        ("f",): texts("Full screen"),
    }
    return HtmlPage("warm_up/page", texts("Warm-up"), parts, sheets=("table", "warm_up"), keys=keys)


@contextmanager
def watch_warm_up(host: Host, _visitor: Visitor) -> Iterator[PartsRenderer]:
    """Keep the warm-up open, and yield the renderer of the players and the time left."""
    sync = OverlaySync()

    def render_parts() -> Mapping[str, str]:
        guide, texts = host.camera.warm_up.opened, host.texts
        newest = None if guide is None else guide.latest_reading
        if guide is None or newest is None:
            return {}
        view, reading = guide.state, sync.shown(newest).reading
        return {
            "over": overlay(reading, view.row, host.styles),
            "seen": render("warm_up/seen", texts, absent=missing(reading, view.row)),
            "left": _render_time_left(view.round, texts),
        }

    with host.camera.warm_up.keep_open():
        yield render_parts


def _render_asked(view: WarmUpView, texts: Texts) -> Markup:
    """Render the main panel: an invitation, a pose, or the results."""
    if view.round is not None and view.round.step is not None:
        return render(
            "warm_up/step",
            texts,
            round=view.round,
            count=len(STEPS),
            only=[name for name in view.row if name in view.asked] if len(view.asked) < len(view.row) else (),
            art=drawing(pose_art(view.round.step.asked, texts)),
        )
    if view.phase is WarmUpPhase.OVER:
        understood = [
            (result, [drawing(pose_art(pose, texts)) for pose in result.missed]) for result in view.understood.values()
        ]
        return render("warm_up/understood", texts, understood=understood)
    return render("warm_up/seating", texts) if view.phase is WarmUpPhase.SEATING else drawing("")


_EXEMPTIONS: Final = {
    Exemption.LEFT_HAND: Phrase("The left hand must do something else: it counts as the right one"),
    Exemption.RIGHT_HAND: Phrase("The right hand must do something else: it counts as the left one"),
    Exemption.TONGUE: Phrase("No tongue: it counts as in"),
    Exemption.DOWN: Phrase("Cannot point down: an antler counts as up"),
}


def _render_people(players: tuple[str, ...], view: WarmUpView, texts: Texts) -> Markup:
    """Render the seats and exemptions; empty during the poses, when seats cannot change."""
    if view.phase is WarmUpPhase.POSES:
        return drawing("")
    exempt = [(player, view.exempt.get(player, frozenset())) for player in players]
    people = [(player, _summary(player, parts, texts), parts) for player, parts in exempt]
    return render("warm_up/people", texts, people=people, row=view.row, choices=_EXEMPTIONS)


def _summary(player: str, exempt: frozenset[Exemption], texts: Texts) -> str:
    if not exempt:
        return texts("Everything of {player} is judged", player=player)
    parts = (texts(words) for part, words in EXEMPT_WORDS.items() if part in exempt)
    return f"{player}: {', '.join(parts)}"


def _render_time_left(state: WarmUpState | None, texts: Texts) -> Markup:
    """Render the whole seconds left to take a pose, or to hold it."""
    if state is None or state.step is None:
        return drawing("")
    seconds = max(1, math.ceil(state.left_s if state.counts else state.moving_s))
    return render("warm_up/left", texts, seconds=seconds, counts=state.counts)
