"""The live mirror: the picture as people know themselves, and over it what the referee reads.

Picture and overlay are mirrored by the style sheet (style/table.css). At Bam both stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nicegui import html, ui

from bunnymoose_cv.session.table_state import CameraState
from bunnymoose_cv.web.art.animals import narrator_art
from bunnymoose_cv.web.live.live_image import STANDS_STILL
from bunnymoose_cv.web.widgets.live_overlay import art_definitions, missing, overlay
from bunnymoose_cv.web.widgets.region import Region
from bunnymoose_cv.web.widgets.table_status import between_rounds

if TYPE_CHECKING:
    from bunnymoose_cv.session.table_state import LatestReading, TableState
    from bunnymoose_cv.web.server.host import Host

LOOK_S: Final = 0.125
"""A new look is shown this often."""


class OverlaySync:
    """Holds what is drawn over a picture back until browsers show that picture: when the next one comes, or none does.

    live_picture.py tells why; without this what is drawn would be ahead of people, on a busy computer for long.
    """

    def __init__(self) -> None:
        self._came: LatestReading | None = None
        self._shown: LatestReading | None = None
        self._waited = 0

    def shown(self, newest: LatestReading) -> LatestReading:
        """The look whose picture is seen now; to be asked every `LOOK_S`."""
        if self._came is None or newest.number != self._came.number:
            self._shown, self._came, self._waited = self._came or newest, newest, 0
        else:
            self._waited += 1
        if self._shown is None or self._waited >= STANDS_STILL:
            self._shown = newest
        return self._shown


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Seats that are seen.

    Attributes:
        seats: who should sit there.
        absent: who of them is not found in the picture.
        bystanders: how many people are in the picture who do not sit there.
        changes: whether the next round waits: then it is not known who sits where by now.
    """

    seats: tuple[str, ...]
    absent: tuple[str, ...]
    bystanders: int
    changes: bool


class MirrorWidget:
    """The mirror on a page; built where it is made."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._shown: tuple[int, tuple[str, ...], bool] | None = None
        self._in_step = OverlaySync()
        self._place = html.figure().classes("mirror")
        self._place.props["aria-label"] = host.texts("Mirror")
        self._picture = Region(self._place, self._build)
        self._overlay: ui.html | None = None
        self._told: Region[SeatRow] | None = None
        ui.timer(LOOK_S, self._look)

    def show(self, state: TableState) -> None:
        """Show whether there is a picture, and whether it stands still.

        Its frame tells so after the first word alone: browsers would paint the whole picture anew at Bam.
        """
        self._picture.show(state.camera is not CameraState.NONE)
        self._place.classes(add="frozen" if state.watching else "", remove="" if state.watching else "frozen")

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
        newest, session = self._host.latest_reading, self._host.session
        if newest is None or session is None or self._overlay is None or self._told is None or session.state.judging:
            return
        latest_reading = self._in_step.shown(newest)
        game = session.state.game
        seats, changes = game.seats, between_rounds(game)
        if (latest_reading.number, seats, changes) == self._shown:
            return
        self._shown = (latest_reading.number, seats, changes)
        self._overlay.content = overlay(latest_reading.reading, seats, self._host.looks, named=not changes)
        self._told.show(
            SeatRow(seats, missing(latest_reading.reading, seats), latest_reading.reading.bystanders, changes)
        )

    def _tell(self, row: SeatRow) -> None:
        """Show the seats that are not seen, and the bystanders who are."""
        texts = self._host.texts
        if row.seats == row.absent:
            html.span(texts("Nobody is seen: sit down in a row in front of the camera.")).classes("badge ask")
        elif row.changes:
            html.span(texts("Everybody moves one seat on."))
        elif row.absent:
            html.span(texts("? Not seen: {names}", names=", ".join(row.absent))).classes("badge ask")
        else:
            html.span(texts("Everybody is seen."))
        if row.bystanders:
            told = texts.counted(
                "{count} person in the picture does not play.",
                "{count} people in the picture do not play.",
                row.bystanders,
            )
            html.span(told).classes("badge")
