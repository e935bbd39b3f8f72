"""Preview of the chosen camera before a game begins, with everybody's seat drawn in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nicegui import html, run, ui

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.web.art.animals import narrator_art
from bunnymoose_cv.web.widgets.live_mirror import OverlaySync
from bunnymoose_cv.web.widgets.live_overlay import art_definitions, missing, overlay
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from bunnymoose_cv.web.live.player_styles import PlayerStyle
    from bunnymoose_cv.web.server.host import Host, ReadingSource

LOOK_S: Final = 0.25
"""A new look is shown this often."""


class PreviewWidget:
    """The picture on a page; built where it is made."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._shown: tuple[int, tuple[tuple[str, PlayerStyle], ...]] | None = None
        self._in_step = OverlaySync()
        self._looker: ReadingSource | None = None
        self._overlay: ui.html | None = None
        self._told: Region[tuple[str, ...]] | None = None
        self._picture: Region[tuple[bool, str]] = Region(html.figure().classes("mirror"), self._build)
        self._picture.show((self._looks, ""))
        ui.timer(LOOK_S, self._look)

    async def open(self) -> None:
        """Look through the camera that is chosen now."""
        problem = ""
        await self.close()
        if self._looks and self._host.session is None:
            try:
                self._looker = await run.io_bound(self._host.look, self._host.choices)
            except InputError as error:
                problem = self._host.texts(error.sentence)
        self._picture.show((self._looks, problem))

    async def close(self) -> None:
        """Let go of the camera, unless somebody else looks through it by now."""
        if self._looker is not None:
            await run.io_bound(self._host.look_away, self._looker)

    @property
    def _looks(self) -> bool:
        return self._host.choices.camera is not None

    def _build(self, what: tuple[bool, str]) -> None:
        looks, problem = what
        texts, self._overlay, self._told, self._shown = self._host.texts, None, None, None
        self._in_step = OverlaySync()
        if not looks:
            ui.html(narrator_art(), sanitize=False).classes("owl")
            html.figcaption(texts("Played without a camera: after Bam, say what everybody shows."))
            return
        if problem:
            html.figcaption(problem, role="alert").classes("notice bad")
            return
        ui.html(art_definitions(), sanitize=False)
        with html.div().classes("glass"):
            html.img(src="/live.mjpeg", alt=texts("The players, as in a mirror"))
            self._overlay = ui.html("", sanitize=False).classes("over")
        self._told = Region(html.figcaption(), self._tell)

    def _look(self) -> None:
        """Show the newest look, if there is a newer one."""
        newest, players = self._host.latest_reading, tuple(self._host.looks.items())
        if newest is None or self._overlay is None or self._told is None:
            return
        latest_reading = self._in_step.shown(newest)
        if self._shown == (latest_reading.number, players):
            return
        self._shown = (latest_reading.number, players)
        row = tuple(self._host.looks)[1:]
        self._overlay.content = overlay(latest_reading.reading, row, self._host.looks)
        self._told.show(missing(latest_reading.reading, row))

    def _tell(self, absent: tuple[str, ...]) -> None:
        """Name the players who are not seen; the first narrator sits behind the camera."""
        texts, (narrator, *row) = self._host.texts, self._host.choices.players
        if not absent:
            html.span(texts("Everybody is seen."))
        elif len(absent) == len(row):
            html.span(texts("Nobody is seen: sit down in a row in front of the camera.")).classes("badge ask")
        else:
            html.span(texts("? Not seen: {names}", names=", ".join(absent))).classes("badge ask")
        html.span(texts("{narrator} narrates first, across the table from the others.", narrator=narrator))
