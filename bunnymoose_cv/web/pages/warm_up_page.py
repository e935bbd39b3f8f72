"""The warm-up page: who sits where, then each pose with the time left, then what the referee understood of whom."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.referee.question import EXEMPT_WORDS
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpPhase
from bunnymoose_cv.session.warmup.warm_up_steps import STEPS
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.live.open_while_watched import OPENING
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.key_words import KeyWords
from bunnymoose_cv.web.widgets.live_overlay import art_definitions, missing, overlay
from bunnymoose_cv.web.widgets.live_video import OverlaySync

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpView
    from bunnymoose_cv.session.warmup.warm_up_round import WarmUpState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.event_stream import PartsRenderer
    from bunnymoose_cv.web.live.host import Host


def page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page."""
    texts, guide = host.texts, host.camera.warm_up.opened
    problem = (host.camera.warm_up.problem or OPENING) if guide is None else guide.state.problem
    parts = {
        "back": render("warm_up/back", texts, plays=host.session is not None),
        "problem": render("warm_up/problem", texts, sentence=problem),
        "art": drawing(art_definitions()),
        "asked": drawing("") if guide is None else _render_asked(guide.state, texts),
        "people": drawing("") if guide is None else _render_people(guide.players, guide.state, texts),
    }
    keys = (
        KeyWords(("b",), texts("Begin the warm-up")),
        KeyWords(("n",), texts("Skip this pose")),
        KeyWords(("f",), texts("Full screen")),
        KeyWords(("?",), texts("These keys")),
    )
    return HtmlPage("warm_up/page", texts("Warm-up"), parts, sheets=("table", "warm_up"), keys=keys)


@contextmanager
def watch(host: Host, _visitor: Visitor) -> Iterator[PartsRenderer]:
    """Keep the warm-up open, and look at the players and at the time that is left."""
    in_step = OverlaySync()

    def render_parts() -> Mapping[str, str]:
        guide, texts = host.camera.warm_up.opened, host.texts
        newest = None if guide is None else guide.latest_reading
        if guide is None or newest is None:
            return {}
        view, reading = guide.state, in_step.shown(newest).reading
        return {
            "over": overlay(reading, view.row, host.styles),
            "seen": render("warm_up/seen", texts, absent=missing(reading, view.row)),
            "left": _render_time_left(view.round, texts),
        }

    with host.camera.warm_up.keep_open():
        yield render_parts


def _render_asked(view: WarmUpView, texts: Texts) -> Markup:
    """The main panel: an invitation, a pose, or what was understood."""
    if view.round is not None and view.round.step is not None:
        only = tuple(name for name in view.row if name in view.asked) if len(view.asked) < len(view.row) else ()
        return render(
            "warm_up/step",
            texts,
            number=view.round.number,
            count=len(STEPS),
            again=view.round.again,
            step=view.round.step,
            only=only,
            art=_draw_pose(view.round.step.asked, texts),
        )
    if view.phase is WarmUpPhase.OVER:
        understood = [(each, [_draw_pose(pose, texts) for pose in each.missed]) for each in view.understood.values()]
        return render("warm_up/understood", texts, understood=understood)
    return render("warm_up/seating", texts) if view.phase is WarmUpPhase.SEATING else drawing("")


def _render_people(players: tuple[str, ...], view: WarmUpView, texts: Texts) -> Markup:
    """Seats, and what is not judged of whom; nobody changes seats in the middle."""
    if view.phase is WarmUpPhase.POSES:
        return drawing("")
    exempt = [
        (player, exemption_choices_html(player, view.exempt.get(player, frozenset()), texts)) for player in players
    ]
    return render("warm_up/people", texts, players=exempt, row=view.row)


def _render_time_left(state: WarmUpState | None, texts: Texts) -> Markup:
    """The whole seconds left to take a pose, or to hold it."""
    if state is None or state.step is None:
        return drawing("")
    seconds = max(1, math.ceil(state.left_s if state.counts else state.moving_s))
    return render("warm_up/left", texts, seconds=seconds, counts=state.counts)


def _draw_pose(pose: Pose, texts: Texts) -> Markup:
    return drawing(pose_art(pose, texts))


_WORDS = {
    Exemption.LEFT_HAND: Phrase("The left hand has something else to do: it counts as the right one"),
    Exemption.RIGHT_HAND: Phrase("The right hand has something else to do: it counts as the left one"),
    Exemption.TONGUE: Phrase("No tongue: it counts as in"),
    Exemption.DOWN: Phrase("Cannot point down: an antler counts as up"),
}


def exemption_choices_html(player: str, exempt: frozenset[Exemption], texts: Texts) -> Markup:
    """Exemptions of one player, behind a summary line."""
    choices = [(part, texts(words), part in exempt) for part, words in _WORDS.items()]
    summary = _summary(player, exempt, texts)
    return render("warm_up/exemptions", texts, player=player, summary=summary, choices=choices)


def _summary(player: str, exempt: frozenset[Exemption], texts: Texts) -> str:
    if not exempt:
        return texts("Everything of {player} is judged", player=player)
    parts = (texts(words) for part, words in EXEMPT_WORDS.items() if part in exempt)
    return f"{player}: {', '.join(parts)}"
