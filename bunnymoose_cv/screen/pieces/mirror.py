"""The live mirror: the picture as people know themselves, and over it what the referee reads. Owns no drawing of it.

Picture and overlay are mirrored by the style sheet (style/table.css). At Bam both stay as they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nicegui import html, ui

from bunnymoose_cv.screen.art.animals import narrator_art
from bunnymoose_cv.screen.pieces.overlay import art_definitions, missing, overlay
from bunnymoose_cv.screen.pieces.region import Region
from bunnymoose_cv.sitting.table_state import CameraState

if TYPE_CHECKING:
    from bunnymoose_cv.screen.host import Host
    from bunnymoose_cv.sitting.table_state import TableState

LOOK_S: Final = 0.125
"""A new look is shown this often."""


class MirrorPiece:
    """The mirror on a page; built where it is made."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._number = 0
        self._seats: tuple[str, ...] = ()
        self._place = html.figure().classes("mirror")
        self._place.props["aria-label"] = host.texts("Mirror")
        self._picture = Region(self._place, self._build)
        self._overlay: ui.html | None = None
        self._told: Region[tuple[str, ...]] | None = None
        ui.timer(LOOK_S, self._look)

    def show(self, state: TableState) -> None:
        """Show whether there is a picture, and whether it stands still."""
        self._picture.show(state.camera is not CameraState.NONE)
        frozen = state.judging or state.watching
        self._place.classes(add="frozen" if frozen else "", remove="" if frozen else "frozen")

    def _build(self, has_camera: bool) -> None:  # noqa: FBT001 - what a region shows
        texts = self._host.texts
        if not has_camera:
            ui.html(narrator_art(), sanitize=False).classes("owl")
            html.figcaption(texts("Played without a camera: after Bam, say what everybody shows."))
            return
        ui.html(art_definitions(), sanitize=False)
        with html.div().classes("glass"):
            html.img(src="/live.mjpeg", alt=texts("The players, as in a mirror"))
            self._overlay = ui.html("", sanitize=False).classes("over")
        self._told = Region(html.figcaption(), self._tell)

    def _look(self) -> None:
        """Show the newest look, if there is a newer one."""
        glimpse, sitting = self._host.glimpse, self._host.sitting
        if glimpse is None or sitting is None or self._overlay is None or self._told is None:
            return
        seats = sitting.state.game.seats
        if (glimpse.number, seats) == (self._number, self._seats):
            return
        self._number, self._seats = glimpse.number, seats
        self._overlay.content = overlay(glimpse.reading, seats, self._host.looks)
        self._told.show(missing(glimpse.reading, seats))

    def _tell(self, absent: tuple[str, ...]) -> None:
        """Who is not seen."""
        texts = self._host.texts
        if not absent:
            html.span(texts("Everybody is seen."))
        elif len(absent) == len(self._seats):
            html.span(texts("Nobody is seen: sit down in a row in front of the camera.")).classes("badge ask")
        else:
            html.span(texts("? Not seen: {names}", names=", ".join(absent))).classes("badge ask")
