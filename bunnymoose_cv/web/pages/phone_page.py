"""A player's own phone: what one shows and scores, contest, and for the narrator bet, cards and the big Bam.

A small frame: everything in it is a piece that other pages use too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nicegui import html, ui

from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.updates import follow, follow_people
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.widgets.bets import bets_of, bets_widget
from bunnymoose_cv.web.widgets.card_photo_panel import SHEET as PHOTO_SHEET
from bunnymoose_cv.web.widgets.card_photo_panel import CardPhotoPanel
from bunnymoose_cv.web.widgets.controls import bam_button, controls_of, small_controls
from bunnymoose_cv.web.widgets.player_names import name_among
from bunnymoose_cv.web.widgets.region import Region
from bunnymoose_cv.web.widgets.table_status import Mood, Waiting, waiting_for
from bunnymoose_cv.web.widgets.verdict_tiles import SHEETS, VerdictTiles

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host
    from bunnymoose_cv.web.widgets.bets import Bets
    from bunnymoose_cv.web.widgets.controls import Controls


def show(host: Host, visitor: Visitor) -> None:
    """Build the page."""
    texts = host.texts
    with page_frame(host, visitor, texts("My page"), sheets=("table", "phone", PHOTO_SHEET, *SHEETS)) as frame:
        _Phone(host, visitor, frame).follow()


@dataclass(frozen=True, slots=True)
class _Narrating:
    """Permissions of the narrator; equal to another exactly when it looks the same."""

    bets: Bets
    controls: Controls
    lays: bool


class _Phone:
    """The page of one player."""

    def __init__(self, host: Host, visitor: Visitor, frame: PageFrame) -> None:
        self._host, self._visitor, self._frame, self._texts = host, visitor, frame, host.texts
        self._session = host.session
        with html.div().classes("stack wide phone-page"):
            with html.div().classes("stack tight"):
                with html.p().classes("eyebrow"):
                    name_among(visitor.player or "", host.looks)
                self._headline: Region[Waiting] = Region(html.div(role="status"), self._build_headline)
            self._photo = CardPhotoPanel(host, visitor, frame)
            self._narrates: Region[_Narrating | None] = Region(html.div(), self._build_narrating)
            self._tiles = VerdictTiles(host, visitor, frame)

    def follow(self) -> None:
        """Show the game, now and as it goes on."""
        follow_people(self._host, self._show_whether_a_game_runs)
        follow(self._host, self._show)

    def _show_whether_a_game_runs(self) -> None:
        if self._host.session is not self._session:
            ui.navigate.reload()  # another game, perhaps in another language
        elif self._session is None:
            texts = self._texts
            self._headline.show(
                Waiting(Mood.OVER, texts("No game runs"), texts("As soon as one begins, it stands here."))
            )

    def _show(self, state: TableState) -> None:
        self._headline.show(waiting_for(state, self._texts))
        self._narrates.show(self._narrating(state) if self._visitor.may(Action.LAY) else None)
        self._photo.show(state)
        self._tiles.show(state)

    def _narrating(self, state: TableState) -> _Narrating:
        controls = controls_of(state, self._visitor)
        return _Narrating(bets_of(state.game, may_bet=True), controls, lays=controls.bam or state.game.first_pass)

    def _build_headline(self, waiting: Waiting) -> None:
        html.h1(waiting.headline)
        html.p(waiting.hint).classes("quiet")

    def _build_narrating(self, narrating: _Narrating | None) -> None:
        if narrating is None:
            return
        texts = self._texts
        if narrating.controls.bam:
            bam_button(self._host.at_table, self._visitor, self._frame, texts)
        with html.div().classes("row tight"):
            if narrating.lays:
                html.a(texts("Lay cards"), href="/cards").classes("button main large")
            small_controls(narrating.controls, self._host.at_table, self._visitor, self._frame, texts)
        with html.section().classes("panel"):
            bets_widget(narrating.bets, self._host.at_table().state.game, self._bet, texts)

    def _bet(self, player: str) -> Awaitable[object]:
        return self._frame.attempt(lambda: self._host.at_table().bet(player, self._visitor.name))
