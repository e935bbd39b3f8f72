"""The set-up page: who plays, what looks at them, and all that may be left as it was last time.

What is chosen lies in `host.choices` at once, so that the page can always be built from there.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from nicegui import background_tasks, html, run, ui

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.widgets.audio_settings import AudioSettings
from bunnymoose_cv.web.widgets.player_settings import PlayerSettings
from bunnymoose_cv.web.widgets.region import Region
from bunnymoose_cv.web.widgets.rules_settings import RulesSettings, check, option
from bunnymoose_cv.web.widgets.seat_preview import PreviewWidget

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.setup_choices import Choices
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host


def show(host: Host, visitor: Visitor) -> None:
    """Build the page."""
    with page_frame(host, visitor, host.texts("New game"), sheets=("table", "setup")) as frame:
        _SetUp(host, frame).build()


class _SetUp:
    """The page of the table's owner."""

    def __init__(self, host: Host, frame: PageFrame) -> None:
        self._host, self._frame, self._texts = host, frame, host.texts

    def build(self) -> None:
        texts = self._texts
        with html.div().classes("setup"):
            with html.header().classes("row apart begins"):
                html.h1(texts("Who plays?"))
                self._begin: Region[bool] = Region(html.div().classes("row"), self._build_begin)
                self._begin.show(False)
            self._build_running()
            with html.div().classes("left stack"):
                self._left: Region[Choices | None] = Region(html.div(), self._build_left)
                self._last: Region[Choices | None] = Region(html.div(), self._build_last)
            with html.section().classes("panel stack players"):
                html.h2(texts("Players"))
                html.p(texts("Round the table, from the first narrator to the left.")).classes("quiet")
                PlayerSettings(self._host, self._look_again)
            with html.section().classes("panel stack camera"):
                html.h2(texts("Camera"))
                self._build_cameras()
                self._preview = PreviewWidget(self._host)
                with html.div().classes("row"):
                    html.a(texts("Check the table"), href="/check").classes("button")
                    html.a(texts("Warm up"), href="/warm-up").classes("button")
            with html.section().classes("panel stack heard"):
                html.h2(texts("Language and voice"))
                AudioSettings(self._host)
            with html.details().classes("panel rules"):
                html.summary(texts("Rules and variants"))
                RulesSettings(self._host)
                told = texts("Ask about everything that is unsure, also where no card cares")
                check(told, self._host.choices.asks_everything, self._choose_questions)
        self._look_again()
        background_tasks.create(self._show_left(), name="left")
        ui.context.client.on_delete(self._preview.close)

    # What is looked at.

    def _build_cameras(self) -> None:
        with html.fieldset().classes("group"):
            html.legend(self._texts("What sees the players?")).classes("spoken")
            for index, camera in enumerate(self._host.cameras):
                chosen = index == self._host.choices.camera
                option("camera", camera, chosen=chosen, choose=partial(self._choose_camera, index))
            by_hand = self._texts("No camera: people say what everybody shows")
            chosen = self._host.choices.camera is None
            option("camera", by_hand, chosen=chosen, choose=partial(self._choose_camera, None))

    def _choose_camera(self, camera: int | None) -> None:
        self._host.choices = replace(self._host.choices, camera=camera)
        self._look_again()

    def _choose_questions(self, everything: bool) -> None:  # noqa: FBT001 - what the box tells
        self._host.choices = replace(self._host.choices, asks_everything=everything)

    def _look_again(self) -> None:
        """Look with other players, or through another camera; the page is there meanwhile."""
        background_tasks.create_lazy(self._preview.open(), name="preview")

    # Beginning.

    def _build_running(self) -> None:
        """A game that is being played is not ended by mistake."""
        session = self._host.session
        if session is None or session.state.game.phase is Phase.OVER:
            return
        with html.div(role="status").classes("notice ask row apart"):
            html.span(self._texts("A game is being played. A new one ends it; it is kept."))
            html.a(self._texts("Back to the table"), href="/table").classes("button")

    async def _show_left(self) -> None:
        """The game that was left, and the last table, once they were found among what is kept."""
        if self._host.session is None:
            left, last = await run.io_bound(self._host.left), await run.io_bound(self._host.last_table)
            self._left.show(left)
            self._last.show(None if left is not None and last is not None and _alike(left, last) else last)

    def _build_left(self, left: Choices | None) -> None:
        """An evening that was interrupted goes on with one press."""
        if left is None:
            return
        with html.div(role="status").classes("notice row apart"):
            html.span(self._texts("The last game was not over: {names}.", names=", ".join(left.players)))
            button = html.button(self._texts("Go on with it"), type="button").classes("button")
            button.props("data-focus=go-on").on("click", partial(self._start, self._host.go_on, left))

    def _build_last(self, last: Choices | None) -> None:
        """Camera and players of the last table come back with one press."""
        if last is None or last.camera is None:
            return
        with html.div(role="status").classes("notice row apart"):
            names, camera = ", ".join(last.players), self._host.cameras[last.camera]
            html.span(self._texts("The last table: {names}; {camera}.", names=names, camera=camera))
            button = html.button(self._texts("Play there again"), type="button").classes("button")
            button.props("data-focus=last-table").on("click", partial(self._take_last, last))

    def _take_last(self, last: Choices) -> None:
        """Take players and camera over; all else stays as it was chosen meanwhile."""
        now = self._host.choices
        self._host.choices = replace(now, players=last.players, colours=last.colours, camera=last.camera)
        ui.navigate.reload()

    def _build_begin(self, begins: bool) -> None:  # noqa: FBT001 - what a region shows
        if begins:
            html.p(self._texts("One moment …"), role="status").classes("large")
            return
        button = html.button(self._texts("Begin"), type="button").classes("button main large")
        button.props("data-focus=begin").on("click", lambda: self._start(self._host.begin, self._host.choices))

    async def _start(self, begin: Callable[[Choices], None], choices: Choices) -> None:
        self._begin.show(True)
        try:
            await run.io_bound(begin, choices)
        except InputError as error:
            self._begin.show(False)
            self._frame.tell(self._texts(error.sentence))
            self._look_again()
        else:
            ui.navigate.to("/table")


def _alike(one: Choices, other: Choices) -> bool:
    """Tell if both have the same players before the same camera."""
    return (one.players, one.camera) == (other.players, other.camera)
