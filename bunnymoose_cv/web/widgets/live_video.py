"""Live video: the mirrored image with the overlay of the readings.

Image and overlay are mirrored by the style sheet (static/table.css). At Bam both stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.web.art.animals import narrator_art
from bunnymoose_cv.web.live.live_image import STANDS_STILL
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.live_overlay import art_definitions, missing, overlay
from bunnymoose_cv.web.widgets.table_status import between_rounds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_state import LatestReading, TableState
    from bunnymoose_cv.web.live.host import Host


class OverlaySync:
    """Delay of an overlay until browsers show its image: when the next one comes, or none does.

    live_image.py tells why; without this what is drawn would be ahead of people, on a busy computer for long.
    """

    def __init__(self) -> None:
        self._came: LatestReading | None = None
        self._shown: LatestReading | None = None
        self._waited = 0

    def shown(self, newest: LatestReading) -> LatestReading:
        """Reading whose image is seen now; to be asked every `LOOK_S`."""
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
        absent: who of them is not found in the image.
        bystanders: how many people are in the image who do not sit there.
        changes: whether the next round waits: then it is not known who sits where by now.
    """

    seats: tuple[str, ...]
    absent: tuple[str, ...]
    bystanders: int
    changes: bool


def live_video_parts(state: TableState, texts: Texts) -> Mapping[str, Markup]:
    """Parts of the live video: whether there is an image, and whether it stands still.

    Its frame tells so after the first word alone: browsers would paint the whole image anew at Bam.
    """
    narrator = drawing(narrator_art() if state.camera is CameraState.NONE else "")
    definitions = drawing("" if narrator else art_definitions())
    return {
        "live-video": render("table/live_video", texts, narrator=narrator, definitions=definitions),
        "watched": drawing('<i class="frozen" hidden></i>' if state.watching else ""),
    }


class LiveVideoWatch:
    """Parts that follow the camera: what is drawn over the image, and who is seen; asked every `LOOK_S`."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._in_step = OverlaySync()
        self._shown: tuple[int, tuple[str, ...], bool] | None = None
        self._parts: Mapping[str, Markup] = {}

    def parts(self) -> Mapping[str, Markup]:
        """Parts for the newest look; while Bam is judged those of before."""
        newest, session = self._host.latest_reading, self._host.session
        if newest is None or session is None or session.state.judging:
            return self._parts
        latest_reading = self._in_step.shown(newest)
        game = session.state.game
        seats, changes = game.seats, between_rounds(game)
        if (latest_reading.number, seats, changes) != self._shown:
            self._shown = (latest_reading.number, seats, changes)
            reading = latest_reading.reading
            row = SeatRow(seats, missing(reading, seats), reading.bystanders, changes)
            self._parts = {
                "overlay": drawing(overlay(reading, seats, self._host.styles, named=not changes)),
                "seats": render("table/seats", self._host.texts, row=row),
            }
        return self._parts
