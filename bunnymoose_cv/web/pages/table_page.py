"""Table page: the shared screen while a game runs."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.announcements.announcing import round_lines
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.permissions import Action, Role
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.pages.html_page import HtmlPage, no_game_page
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.cards_entry import SCRIPT, pile_parts, sheets_html
from bunnymoose_cv.web.widgets.controls import (
    bam_html,
    bets_html,
    controls_of,
    entries_part,
    table_actions_html,
    tempo_html,
)
from bunnymoose_cv.web.widgets.live_video import LiveVideoWatch, live_video_parts
from bunnymoose_cv.web.widgets.question_tiles import ASKING, asking_html
from bunnymoose_cv.web.widgets.standings import podium_html, ranking_html, trail_html
from bunnymoose_cv.web.widgets.table_status import between_rounds, idle_keys_html, verdicts_are_shown, waiting_for
from bunnymoose_cv.web.widgets.verdict_tiles import CARDS, SHEETS, tile_parts, tile_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.streams import PartsRenderer
    from bunnymoose_cv.web.pages.html_page import Keys
    from bunnymoose_cv.web.widgets.table_status import Waiting

LONG: Final = 30
"""Number of letters above which a headline takes two lines on a television, so that it is written smaller."""

_AT_TABLE: Final = frozenset("ktrph")
"""Keys of actions that phones do not have."""


def page(host: Host, visitor: Visitor) -> HtmlPage:
    """Build the page."""
    texts, session = host.texts, host.session
    checks = session is None or session.state.camera is not CameraState.NONE
    keys = keys_of(texts, at_table=visitor.role is Role.OWNER, checks=checks)
    if session is None:
        return no_game_page(texts("Table"), texts, keys, begins=visitor.may(Action.SET_UP))
    parts = _parts(host, session.state, visitor)
    sheets, scripts = ("table", "podium", *SHEETS), (SCRIPT, "awake")
    return HtmlPage("table/page", texts("Table"), parts, sheets=sheets, scripts=scripts, keys=keys)


@contextmanager
def watch(host: Host, _visitor: Visitor) -> Iterator[PartsRenderer]:
    """Yield the renderer of the parts of the live video."""
    yield LiveVideoWatch(host).parts


def keys_of(texts: Texts, *, at_table: bool, checks: bool = True) -> Keys:
    """Return the keys of this page, which are those of the terminal; phones and tables without a camera have fewer."""
    every = {
        (texts("Space"), texts("Enter"), texts("Page ↓"), texts("Page ↑")): texts("Bam! (so does a clicker)"),
        ("b", "1 … 5"): texts("Bet on a player, counted from the left"),
        ("1 … 4", texts("Enter")): texts("Answer the question that is marked; Enter says the first answer"),
        ("c",): texts("Type cards"),
        ("s",): texts("Deal, or let the dealer rest"),
        ("+", "-"): texts("The poem faster, or slower"),
        ("d",): texts("That was no Bam"),
        ("k",): texts("Say what somebody shows"),
        ("t",): texts("Contest a verdict"),
        ("u",): texts("Undo"),
        ("r",): texts("Films of the rounds"),
        ("h",): texts("Check the table"),
        ("p",): texts("Pause, or go on"),
        ("f",): texts("Full screen"),
    }
    left_out = (frozenset() if at_table else _AT_TABLE) | (frozenset() if checks else {"h"})
    return {keys: does for keys, does in every.items() if keys[0] not in left_out}


def _parts(host: Host, state: TableState, visitor: Visitor) -> Mapping[str, Markup]:
    texts, game, controls = host.texts, state.game, controls_of(state, visitor)
    photographs = host.card_reader is not None and game.phase is Phase.FROZEN
    return {
        **entries_part(state),
        **_status(state, waiting_for(state, texts), texts),
        "podium": podium_html(host, state, visitor),
        "bam": bam_html(texts, can_press=controls.bam, by_keys=not between_rounds(game)),
        **_render_judged(state, visitor, texts),
        ASKING: asking_html(state, texts),
        **live_video_parts(state, texts),
        **pile_parts(game, texts, urls.CARDS if controls.lays else ""),
        "bets": bets_html(game, texts, may_bet=visitor.may(Action.BET)),
        "ranking": ranking_html(game, texts),
        "trail": trail_html(game, texts),
        "tempo": tempo_html(state.deal if visitor.may(Action.DEAL) else None, texts),
        "controls": table_actions_html(state, visitor, texts, photographs=photographs),
        "idle-keys": idle_keys_html(state, visitor, texts),
        "sheets": sheets_html(visitor, state.game.players[1], texts),
    }


def _status(state: TableState, waiting: Waiting, texts: Texts) -> Mapping[str, Markup]:
    """Return the round, the status, the announcements, and the problem if there is one."""
    game = state.game
    lines = _said(state, waiting, texts)
    styles = styles_of(game.players, game.colours)
    return {
        "round": render("table/round", texts, game=game, rounds=game.rules.rounds(len(game.players)), styles=styles),
        "headline": render("table/headline", texts, waiting=waiting, classes=tuple(_classes(state, waiting))),
        "said": render("table/said", texts, lines=lines),
        "problem": render("verdicts/problem", texts, problem=state.problem, blind=state.camera.is_blind),
    }


def _said(state: TableState, waiting: Waiting, texts: Texts) -> tuple[str, ...]:
    """Return the current announcements of the finished round, or else those of the open one."""
    if verdicts_are_shown(state) and state.game.phase is not Phase.FROZEN:
        return round_lines(state.game.rounds[-1], texts.language)
    return tuple(line for line in state.said if line != waiting.headline)


def _classes(state: TableState, waiting: Waiting) -> Iterator[str]:
    """Yield the style classes: mood, length, and the kind of verdicts that are shown."""
    yield from ("waiting", waiting.mood.value)
    if len(waiting.headline) > LONG:
        yield "long"
    if verdicts_are_shown(state):
        yield "after-bam"
        if state.game.phase is not Phase.FROZEN:
            yield "moment"
        elif state.game.first_pass:
            yield "cards-missing"


def _render_judged(state: TableState, visitor: Visitor, texts: Texts) -> Mapping[str, Markup]:
    """Return the verdicts from Bam until the next round begins; empty at other times."""
    if verdicts_are_shown(state):
        return tile_parts(state, visitor, texts)
    return dict.fromkeys((CARDS, *tile_places(state.game)), drawing(""))
