"""Table page: the shared screen while a game runs."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import Action, Role
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.pages.html_page import HtmlPage, no_game_page
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.bets import bets_html
from bunnymoose_cv.web.widgets.card_picker import SCRIPT
from bunnymoose_cv.web.widgets.controls import bam_html, controls_html, controls_of
from bunnymoose_cv.web.widgets.entry_dialogs import sheets_html
from bunnymoose_cv.web.widgets.key_words import KeyWords
from bunnymoose_cv.web.widgets.live_video import LiveVideoWatch, live_video_parts
from bunnymoose_cv.web.widgets.piles import pile_parts
from bunnymoose_cv.web.widgets.seen_entries import entries_part
from bunnymoose_cv.web.widgets.standings import ranking_html
from bunnymoose_cv.web.widgets.table_status import between_rounds, verdicts_stand, waiting_for
from bunnymoose_cv.web.widgets.trail_board import trail_html
from bunnymoose_cv.web.widgets.verdict_tiles import CARDS, SHEETS, tile_parts, tile_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.event_stream import PartsRenderer
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.widgets.table_status import Waiting

LONG: Final = 30
"""A headline of more letters takes two lines on a television, so it is written smaller."""


_AWAKE: Final = "awake"
"""The script by which the screen stays on."""

_AT_TABLE: Final = frozenset("ktrph")
"""The keys of what a phone is not offered."""

_CHECK: Final = frozenset("h")
"""The key of the check of the table, which needs a camera."""


def page(host: Host, visitor: Visitor) -> HtmlPage:
    """Build the page."""
    texts, session = host.texts, host.session
    checks = session is None or session.state.camera is not CameraState.NONE
    keys = keys_of(texts, at_table=visitor.role is Role.OWNER, checks=checks)
    if session is None:
        return no_game_page(texts("Table"), texts, keys, begins=visitor.may(Action.SET_UP))
    parts = _parts(host, session.state, visitor)
    sheets, scripts = ("table", *SHEETS), (SCRIPT, _AWAKE)
    return HtmlPage("table/page", texts("Table"), parts, sheets=sheets, scripts=scripts, keys=keys)


@contextmanager
def watch(host: Host, _visitor: Visitor) -> Iterator[PartsRenderer]:
    """Look at what the live video shows."""
    yield LiveVideoWatch(host).parts


def keys_of(texts: Texts, *, at_table: bool, checks: bool = True) -> tuple[KeyWords, ...]:
    """List the keys of this page; they are those of the terminal.

    Args:
        at_table: whether it is the screen at the table, and no phone.
        checks: whether there is a camera to check.
    """
    every = (
        KeyWords((texts("Space"), texts("Enter"), texts("Page ↓"), texts("Page ↑")), texts("Bam! (so does a clicker)")),
        KeyWords(("b", "1 … 5"), texts("Bet on a player, counted from the left")),
        KeyWords(("c",), texts("Type cards")),
        KeyWords(("s",), texts("Deal, or let the dealer rest")),
        KeyWords(("d",), texts("That was no Bam")),
        KeyWords(("k",), texts("Say what somebody shows")),
        KeyWords(("t",), texts("Contest a verdict")),
        KeyWords(("u",), texts("Undo")),
        KeyWords(("r",), texts("Films of the rounds")),
        KeyWords(("h",), texts("Check the table")),
        KeyWords(("p",), texts("Pause, or go on")),
        KeyWords(("f",), texts("Full screen")),
        KeyWords(("?",), texts("These keys")),
    )
    left_out = (frozenset() if at_table else _AT_TABLE) | (frozenset() if checks else _CHECK)
    return tuple(each for each in every if each.keys[0] not in left_out)


def _parts(host: Host, state: TableState, visitor: Visitor) -> Mapping[str, Markup]:
    texts, game, controls = host.texts, state.game, controls_of(state, visitor)
    return {
        **entries_part(state),
        **_status(state, waiting_for(state, texts), texts),
        "bam": bam_html(texts, can_press=controls.bam, by_keys=not between_rounds(game)),
        **_render_judged(state, visitor, texts),
        **live_video_parts(state, texts),
        **pile_parts(game, texts, urls.CARDS if controls.lays else ""),
        "bets": bets_html(game, texts, may_bet=visitor.may(Action.BET)),
        "ranking": ranking_html(game, texts),
        "trail": trail_html(game, texts),
        "controls": controls_html(controls, texts),
        "openers": _openers(state, visitor, texts, _laying(host, game) if controls.lays else ""),
        "sheets": sheets_html(visitor, state.game.players[1], texts),
    }


def _laying(host: Host, game: Game) -> str:
    """Name of the way to lay cards; after Bam they may be photographed, too."""
    photographs = host.card_reader is not None and game.phase is Phase.FROZEN
    return host.texts("Lay or photograph the cards") if photographs else host.texts("Lay cards")


def _openers(state: TableState, visitor: Visitor, texts: Texts, laying: str) -> Markup:
    """Ways to the dialogs and to other pages; what the game needs next stands first."""
    return render(
        "table/openers",
        texts,
        laying=laying,
        begins=state.game.phase is Phase.OVER and visitor.may(Action.SET_UP),
        at_table=visitor.role is Role.OWNER,
        checks=state.camera is not CameraState.NONE,
    )


def _status(state: TableState, waiting: Waiting, texts: Texts) -> Mapping[str, Markup]:
    """Round, what the table waits for, what was announced besides, and where people are needed."""
    game = state.game
    lines = [line for line in state.said if line != waiting.headline]
    styles = styles_of(game.players, game.colours)
    return {
        "round": render("table/round", texts, game=game, rounds=game.rules.rounds(len(game.players)), styles=styles),
        "headline": render("table/headline", texts, waiting=waiting, classes=tuple(_classes(state, waiting))),
        "said": render("table/said", texts, lines=lines),
        "problem": render("verdicts/problem", texts, problem=state.problem),
    }


def _classes(state: TableState, waiting: Waiting) -> Iterator[str]:
    """Style classes: mood, length, and where everything stands from Bam until the next round begins."""
    yield from ("waiting", waiting.mood.value)
    if len(waiting.headline) > LONG:
        yield "long"
    if verdicts_stand(state):
        yield "after-bam"
        if state.game.phase is Phase.FROZEN:
            yield "asking"
            if state.game.first_pass:
                yield "cards-missing"


def _render_judged(state: TableState, visitor: Visitor, texts: Texts) -> Mapping[str, Markup]:
    """Tell if verdicts are shown: from Bam until the next round begins."""
    if verdicts_stand(state):
        return tile_parts(state, visitor, texts)
    return dict.fromkeys((CARDS, *tile_places(state.game)), drawing(""))
