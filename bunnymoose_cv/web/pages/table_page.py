"""The table page: all that everybody at the table looks at while a game runs.

Every piece is shown the newest state and builds anew only what changed, so the page can always be made from the state
alone: after a restart of the server each open page comes back as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nicegui import html, ui

from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.auth.access import Action, Role
from bunnymoose_cv.web.live.updates import follow
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.pages.page_header import KeyWords
from bunnymoose_cv.web.widgets.announcements import AnnouncementsWidget
from bunnymoose_cv.web.widgets.bets import bets_html
from bunnymoose_cv.web.widgets.controls import bam_html, controls_html, controls_of
from bunnymoose_cv.web.widgets.entry_dialogs import CARDS, POSE, cards_sheet_html, pose_sheet
from bunnymoose_cv.web.widgets.html_parts import HtmlPart, HtmlParts
from bunnymoose_cv.web.widgets.live_mirror import MirrorWidget
from bunnymoose_cv.web.widgets.piles import pile_parts, pile_place
from bunnymoose_cv.web.widgets.player_names import player_name
from bunnymoose_cv.web.widgets.ranking_list import ranking_html
from bunnymoose_cv.web.widgets.region import Region
from bunnymoose_cv.web.widgets.table_status import Waiting, verdicts_stand, waiting_for
from bunnymoose_cv.web.widgets.trail_board import TrailWidget
from bunnymoose_cv.web.widgets.verdict_tiles import CARDS as LAID_CARDS
from bunnymoose_cv.web.widgets.verdict_tiles import SHEETS, tile_parts, tile_places

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host

LONG: Final = 30
"""A headline of more letters takes two lines on a television, so it is written smaller."""


_AT_TABLE: Final = frozenset("ktrph")
"""The keys of what a phone is not offered."""


def show(host: Host, visitor: Visitor) -> None:
    """Build the page."""
    texts = host.texts
    keys = keys_of(texts, at_table=visitor.role is Role.OWNER)
    with page_frame(host, visitor, texts("Table"), sheets=("table", *SHEETS), keys=keys) as frame:
        if host.session is None:
            _no_game(visitor, texts)
            return
        follow(host, _Table(host, visitor, frame).show)


def keys_of(texts: Texts, *, at_table: bool) -> tuple[KeyWords, ...]:
    """List the keys of this page; they are those of the terminal.

    Args:
        texts: in the language of the table.
        at_table: whether it is the screen at the table, and no phone.
    """
    every = (
        KeyWords((texts("Space"), texts("Enter"), "Page ↓"), texts("Bam! (so does a clicker)")),
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
    return tuple(each for each in every if at_table or each.keys[0] not in _AT_TABLE)


def _no_game(visitor: Visitor, texts: Texts) -> None:
    html.h1(texts("No game runs"))
    if visitor.may(Action.SET_UP):
        html.a(texts("Begin one"), href="/setup").classes("button main large")
    else:
        html.p(texts("As soon as one begins, it stands here."))


class _Table:
    """The page of one visitor."""

    def __init__(self, host: Host, visitor: Visitor, frame: PageFrame) -> None:
        self._host, self._visitor, self._frame, self._texts = host, visitor, frame, host.texts
        self._session = host.session
        self._page = html.div().classes("table-page")
        with self._page:
            self._build_state()
            with html.div().classes("at-hand"):
                self._bam = HtmlPart("press")
            with html.section().classes("judged") as self._judged:
                html.h2(self._texts("What everybody showed")).classes("spoken")
                self._cards = HtmlPart("laid-cards")
                with html.div().classes("verdicts"):
                    self._tiles = HtmlParts(dict.fromkeys(tile_places(self._game), "tile"))
            self._mirror = MirrorWidget(host)
            with html.section().classes("panel deal"):
                piles = html.ol().classes("piles")
                piles.props["aria-label"] = self._texts("Piles")
                places = [pile_place(number + 1) for number in range(self._game.rules.piles)]
                with piles:
                    self._piles = HtmlParts(dict.fromkeys(places, "pile"), "li")
            with html.section().classes("panel bet-panel"):
                self._bets = HtmlPart("press")
            self._ranking = HtmlPart("panel ranking-panel", "section")
            self._trail = TrailWidget(self._texts)
            with html.div().classes("row controls"):
                self._controls = HtmlPart("press")
                openers = html.div().classes("press")
                self._openers: Region[bool] = Region(openers, lambda lays: self._build_openers(lays=lays))
        self._build_sheets()

    def show(self, state: TableState) -> None:
        """Show what stands."""
        if self._host.session is not self._session:
            ui.navigate.reload()  # another game, perhaps in another language
            return
        controls = controls_of(state, self._visitor)
        waiting = waiting_for(state, self._texts)
        self._headline.show(waiting)
        self._round.show(state.game.round_number)
        self._problem.show(state.problem)
        self._said.show(tuple(line for line in state.said if line != waiting.headline))
        self._bam.show(bam_html(self._texts, can_press=controls.bam))
        self._show_verdicts(state)
        self._mirror.show(state)
        self._piles.show(pile_parts(state.game, self._texts))
        self._bets.show(bets_html(state.game, self._texts, may_bet=self._visitor.may(Action.BET)))
        self._ranking.show(ranking_html(state.game, self._texts))
        self._trail.show(state.game)
        self._controls.show(controls_html(controls, self._texts))
        self._openers.show(self._visitor.may(Action.LAY))

    def _show_verdicts(self, state: TableState) -> None:
        """The verdicts stand on the table from Bam until the next round begins."""
        stand = verdicts_stand(state)
        asking = stand and state.game.phase is Phase.FROZEN
        classes = {"after-bam": stand, "asking": asking, "cards-missing": asking and state.game.first_pass}
        self._page.classes(replace=" ".join(("table-page", *(name for name, holds in classes.items() if holds))))
        self._judged.set_visibility(stand)
        if stand:
            parts = tile_parts(state, self._visitor, self._texts)
            self._cards.show(parts[LAID_CARDS])
            self._tiles.show(parts)

    @property
    def _game(self) -> Game:
        return self._host.at_table().state.game

    # What stands on the page.

    def _build_state(self) -> None:
        with html.header().classes("state"):
            self._round: Region[int] = Region(html.p().classes("eyebrow"), self._build_round)
            self._headline: Region[Waiting] = Region(html.div(role="status"), self._build_headline)
            self._said = AnnouncementsWidget()
            self._problem: Region[str] = Region(html.div(role="alert"), self._build_problem)

    def _build_round(self, number: int) -> None:
        rounds = self._game.rules.rounds(len(self._game.players))
        html.span(self._texts("Round {number} of {rounds}", number=number, rounds=rounds))
        player_name(self._game.narrator, self._game)
        html.span(self._texts("narrates"))

    def _build_headline(self, waiting: Waiting) -> None:
        length = "long" if len(waiting.headline) > LONG else ""
        with html.div().classes(f"waiting {waiting.mood.value} {length}"):
            html.h1(waiting.headline)
            if waiting.verse:
                html.p(waiting.verse).classes("verse")
            elif waiting.hint:
                html.p(waiting.hint).classes("quiet")

    def _build_problem(self, problem: str) -> None:
        if problem:
            html.p(problem).classes("notice bad")

    def _build_openers(self, *, lays: bool) -> None:
        if lays:
            _opener(self._texts("Type cards"), "c", CARDS)
        if self._visitor.role is Role.OWNER:
            _opener(self._texts("Type poses"), "k", POSE)
            _way(self._texts("Contest"), "t", "/verdicts")
            _way(self._texts("Films"), "r", "/history")
            _way(self._texts("Check the table"), "h", "/check")

    def _build_sheets(self) -> None:
        if self._visitor.role is not Role.GUEST:
            ui.add_head_html('<script src="/style/cards.js"></script>')
            HtmlPart().show(cards_sheet_html(self._texts))
        if self._visitor.role is Role.OWNER:
            pose_sheet(lambda: self._game.players, self._host.at_table, self._visitor, self._frame, self._texts)


def _opener(text: str, key: str, sheet: str) -> None:
    with html.button(type="button").classes("button plain").props(f"aria-keyshortcuts={key} data-opens={sheet}"):
        html.span(text)
        html.kbd(key).props("aria-hidden=true")


def _way(text: str, key: str, path: str) -> None:
    with html.a(href=path).classes("button plain").props(f"aria-keyshortcuts={key}"):
        html.span(text)
        html.kbd(key).props("aria-hidden=true")
