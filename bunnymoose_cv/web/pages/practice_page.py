"""The practice page: what is asked, what the referee sees of it, one thing to change, and how often it agreed."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.rules.pose_fields import PoseField
from bunnymoose_cv.session.practice.coach import field_name, hint_words
from bunnymoose_cv.web.art.art_names import headgear_name
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.live.open_while_watched import OPENING
from bunnymoose_cv.web.live.player_styles import STYLES
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.key_words import KeyWords
from bunnymoose_cv.web.widgets.live_overlay import art_definitions, overlay

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.session.practice.practice import PracticeState
    from bunnymoose_cv.session.practice.practice_session import PracticeSession
    from bunnymoose_cv.vision.readings import PlayerReading
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.event_stream import PartsRenderer
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.open_while_watched import PageUse

_CLOSED: Final = Phrase("The mirror is closed.")

_OF_THE_SESSION: Final = ("asked", "tallies", "consent", "kept", "gone")
"""Parts that are empty while no practice is open."""


def page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page."""
    texts, session = host.texts, host.camera.practice.opened
    parts = {
        "problem": render("practice/problem", texts, sentence=_problem(host.camera.practice), closed=session is None),
        "art": drawing(art_definitions()),
        **(dict.fromkeys(_OF_THE_SESSION, drawing("")) if session is None else _render_parts(session, texts)),
    }
    keys = (
        KeyWords(("n",), texts("Another pose")),
        KeyWords(("i",), texts("I do show that")),
        KeyWords(("f",), texts("Full screen")),
        KeyWords(("?",), texts("These keys")),
    )
    return HtmlPage("practice/page", texts("Practice"), parts, sheets=("table", "practice"), keys=keys)


@contextmanager
def watch(host: Host, _visitor: Visitor) -> Iterator[PartsRenderer]:
    """Keep the practice open, and look at what the referee sees."""

    def render_parts() -> Mapping[str, str]:
        session = host.camera.practice.opened
        return {} if session is None else _render_seen(session.state.practice, host.texts)

    with host.camera.practice.keep_open():
        yield render_parts


def _problem(practice: PageUse[PracticeSession]) -> str:
    """Reason why nobody can practise, or a hint; empty where all is well."""
    if practice.opened is not None:
        return practice.opened.state.problem
    return practice.problem or (_CLOSED if practice.was_closed else OPENING)


def _render_parts(session: PracticeSession, texts: Texts) -> Mapping[str, Markup]:
    practice, lesson = session.state.practice, session.state.practice.lesson
    tallies = [(field_name(tally.field, texts), tally) for tally in lesson.tallies]
    art, lines = _draw_pose(lesson.asked, texts), _lines(lesson.asked, texts)
    return {
        "asked": render("practice/asked", texts, number=lesson.number, art=art, lines=lines),
        "tallies": render("practice/tallies", texts, done=lesson.done, tallies=tallies),
        "consent": render("practice/consent", texts, consent=practice.consent, folder=str(session.takes_folder)),
        "kept": render("practice/kept", texts, kept=practice.kept),
        "gone": render("practice/gone", texts, kept=practice.kept),
    }


def _render_seen(practice: PracticeState, texts: Texts) -> Mapping[str, Markup]:
    """Parts that follow the camera."""
    lesson, seen = practice.lesson, practice.lesson.seen
    words = texts("Yes! Hold it.") if lesson.hint is None else hint_words(lesson.hint, texts)
    art = drawing("") if seen is None else _draw_pose(seen.pose, texts)
    lines = () if seen is None else _lines(seen.pose, texts, seen.unclear)
    return {
        "over": _draw_overlay(practice, texts),
        "seen": render("practice/seen", texts, art=art, lines=lines),
        "hint": render("practice/hint", texts, words=words),
        "held": render("practice/held", texts, held=lesson.held),
    }


def _lines(pose: Pose, texts: Texts, unclear: tuple[PoseField, ...] = ()) -> tuple[tuple[str, str], ...]:
    """Parts of a pose in words, with a question mark where the referee is not sure."""
    tongue = texts("stuck out") if pose.tongue is Tongue.OUT else texts("in the mouth")
    return (
        *(_side(pose, side, texts, unclear) for side in Side),
        (texts("Your tongue"), f"{tongue}{' ?' if PoseField.TONGUE in unclear else ''}"),
    )


def _side(pose: Pose, side: Side, texts: Texts, unclear: tuple[PoseField, ...]) -> tuple[str, str]:
    doubt = " ?" if any(each.side is side for each in unclear) else ""
    on_side = texts("Your left") if side is Side.LEFT else texts("Your right")
    return on_side, f"{headgear_name(pose.headgear(side), texts)}{doubt}"


def _draw_pose(pose: Pose, texts: Texts) -> Markup:
    return drawing(pose_art(pose, texts))


def _draw_overlay(practice: PracticeState, texts: Texts) -> Markup:
    """Overlay of the reading of the one who practises."""
    seen, reading = practice.lesson.seen, practice.reading
    if seen is None or reading is None:
        return drawing("")
    you = texts("You")
    return drawing(overlay(replace(reading, players=(_in_seat_one(seen),)), (you,), {you: STYLES[0]}))


def _in_seat_one(seen: PlayerReading) -> PlayerReading:
    return replace(seen, player=replace(seen.player, seat=1))
