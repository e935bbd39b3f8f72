"""Live video: the mirrored image with an overlay of the readings.

The overlay is drawn from a reading alone, as SVG in the pixels of the unmirrored image. The style sheet
(static/table.css) mirrors image and overlay together, so only text is mirrored beforehand. Nothing is drawn over a
player who has moved since the hands were read: that reading is outdated. At Bam image and overlay stay as they are.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.art.animals import narrator_art
from bunnymoose_cv.art.head_art import headgear_at_head
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.unicode_text import RIGHT_TO_LEFT
from bunnymoose_cv.rules.pose import HEADGEARS, Side, Tongue
from bunnymoose_cv.web.live.live_image import STANDS_STILL
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.table_status import between_rounds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_state import LatestReading, TableState
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.player_styles import PlayerStyle


class OverlaySync:
    """Delay of an overlay until browsers show its image, which is when the next image arrives or none does.

    live_image.py gives the reason. Without it the overlay would be ahead of the image, on a busy computer by far.
    """

    def __init__(self) -> None:
        self._newest: LatestReading | None = None
        self._shown: LatestReading | None = None
        self._waited = 0

    def shown(self, newest: LatestReading) -> LatestReading:
        """Return the reading whose image browsers show now; call this every `LOOK_S`."""
        if self._newest is None or newest.number != self._newest.number:
            self._shown, self._newest, self._waited = self._newest or newest, newest, 0
        else:
            self._waited += 1
        if self._shown is None or self._waited >= STANDS_STILL:
            self._shown = newest
        return self._shown


def live_video_parts(state: TableState, texts: Texts) -> Mapping[str, Markup]:
    """Return the parts of the live video: its frame, and a mark while Bam is judged.

    The mark is a part of its own, since browsers would repaint the whole image if the frame changed at Bam.
    """
    narrator = drawing(narrator_art() if state.camera is CameraState.NONE else "")
    definitions = drawing("" if narrator else art_definitions())
    return {
        "live-video": render("table/live_video", texts, narrator=narrator, definitions=definitions),
        "watched": drawing('<i class="frozen" hidden></i>' if state.watching else ""),
    }


class LiveVideoWatch:
    """Parts that follow the camera, updated every `LOOK_S`: the overlay over the image, and the row of seats."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._sync = OverlaySync()
        self._shown: tuple[int, tuple[str, ...], bool] | None = None
        self._parts: Mapping[str, Markup] = {}

    def parts(self) -> Mapping[str, Markup]:
        """Return the parts for the newest reading, or the previous ones while Bam is judged."""
        newest, session = self._host.latest_reading, self._host.session
        if session is not None and session.state.camera.is_blind:
            self._shown = None
            seats_part = render("table/seats", self._host.texts, blind=True, bystanders=0)
            self._parts = {"overlay": drawing(""), "seats": seats_part}
            return self._parts
        if newest is None or session is None or session.state.judging:
            return self._parts
        latest_reading = self._sync.shown(newest)
        game = session.state.game
        seats, changes = game.seats, between_rounds(game)
        if (latest_reading.number, seats, changes) != self._shown:
            self._shown = (latest_reading.number, seats, changes)
            reading = latest_reading.reading
            self._parts = {
                "overlay": drawing(overlay(reading, seats, self._host.styles, named=not changes)),
                "seats": render(
                    "table/seats",
                    self._host.texts,
                    blind=False,
                    seats=seats,
                    absent=missing(reading, seats),
                    bystanders=reading.bystanders,
                    changes=changes,
                ),
            }
        return self._parts


HEAD_WIDTH: Final = 92.0
"""Width of a head in our line art (art/head_art.py), whose origin is its middle."""

WIDTH_OF_HEAD: Final = 2.9
"""Width of a real head in eye distances, slightly enlarged so that the art does not touch the face."""

NAME_ABOVE: Final = 3.5
"""Height of a name above the eyes, in eye distances: above the hands."""

DOUBT_AT: Final = (2.6, 1.9)
"""Position of a doubt about a side, in eye distances outward from and above the eyes' middle."""

LETTERS: Final = (0.030, 0.052)
"""Least and greatest height of a name's letters, as shares of the image's width."""

LETTER_WIDTH: Final = 0.64
"""Width of a bold letter as a share of its height, slightly more than that of most letters."""

NAME_WIDTH: Final = 0.3
"""Greatest width of a name as a share of the image's; longer names are cut, so that they never overlap."""

ROW_WIDTH: Final = 0.9
"""Width of all names together, as a share of the image's."""


def art_definitions() -> str:
    """Return the line art of every headgear once, so that overlays only refer to it."""
    drawn = (headgear for headgear in HEADGEARS if headgear is not None)
    symbols = "".join(f'<g id="over-{headgear}">{headgear_at_head(headgear)}</g>' for headgear in drawn)
    return f'<svg width="0" height="0" aria-hidden="true"><defs>{symbols}</defs></svg>'


def overlay(
    reading: FrameReading, seats: Sequence[str], styles: Mapping[str, PlayerStyle], *, named: bool = True
) -> str:
    """Draw a reading as SVG in the image's pixels, unmirrored; `named` if it is certain that the seats are right."""
    height, width = reading.image.shape[:2]
    players = [player for player in reading.players if 1 <= player.seat <= len(seats)]
    drawn = "".join(_headgear(player) for player in players if not player.has_moved)
    named_players = players if named else []
    most = min(NAME_WIDTH, ROW_WIDTH / max(1, len(seats)))
    names = "".join(
        _name(player, seats[player.seat - 1], styles[seats[player.seat - 1]], width, most) for player in named_players
    )
    return f'<svg viewBox="0 0 {width} {height}" aria-hidden="true">{drawn}{names}</svg>'


def missing(reading: FrameReading, seats: Sequence[str]) -> tuple[str, ...]:
    """Return the players whose seats are not found in the image."""
    found = {player.seat for player in reading.players}
    return tuple(player for seat, player in enumerate(seats, 1) if seat not in found)


def head_transform(head: Head) -> str:
    """Return the transform of art for a head 92 wide onto a head in the image: position, tilt and size."""
    x, y = head.centre
    scale = WIDTH_OF_HEAD * head.eye_distance / HEAD_WIDTH
    return f"translate({x:.0f} {y:.0f}) rotate({head.tilt_degrees:.0f}) scale({scale:.2f})"


def _headgear(player: PlayerReading) -> str:
    """Draw both sides of a head and the tongue, with a question mark at each that is unclear."""
    head = player.player.head
    art = "".join(_art(player, side) for side in Side)
    doubts = "".join(_doubt(head.at(*_outward(side)), head) for side in Side if player.headgear[side].unclear)
    if player.tongue.unclear:
        doubts += _doubt(head.at(0, -1.9), head)
    return f'<g class="art" transform="{head_transform(head)}">{art}{_tongue(player)}</g>{doubts}'


def _art(player: PlayerReading, side: Side) -> str:
    headgear = player.headgear[side].headgear
    if headgear is None:
        return ""
    # The art is drawn on the player's left, which is at the right of the unmirrored image.
    flip = ' transform="scale(-1 1)"' if side is Side.RIGHT else ""
    return f'<use href="#over-{headgear}"{flip}/>'


def _tongue(player: PlayerReading) -> str:
    if player.tongue.tongue is not Tongue.OUT:
        return ""
    return '<path class="tongue" d="M-12 44V60C-12 76 12 76 12 60V44Z"/>'


def _outward(side: Side) -> tuple[float, float]:
    outward, upward = DOUBT_AT
    return (outward if side is Side.LEFT else -outward), upward


def _doubt(place: tuple[float, float], head: Head) -> str:
    radius = 0.62 * head.eye_distance
    return _draw_text("?", place, radius * 1.5, f'<circle class="doubt" r="{radius:.0f}"/>')


def _name(player: PlayerReading, name: str, style: PlayerStyle, width: int, most: float) -> str:
    """Draw the name above a head, with its symbol; together they are no wider than `most` of the image."""
    head, sign = player.player.head, f"{style.symbol} "
    letters = min(max(0.95 * head.eye_distance, LETTERS[0] * width), LETTERS[1] * width)
    doubt = " ?" if player.unclear and not player.has_moved else ""
    shown = _short(name, int(most * width / (LETTER_WIDTH * letters)) - len(sign))
    text = f"{sign}{_isolated(shown)}{doubt}"
    half = LETTER_WIDTH * letters * len(f"{sign}{shown}{doubt}") / 2
    x, y = head.at(0, NAME_ABOVE)
    place = (min(max(x, half), width - half), max(y, letters))
    return _draw_text(text, place, letters, "", f' data-look="{style.number}"')


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _isolated(name: str) -> str:
    """Isolate a name that is written from right to left, so that its ellipsis is at its left end."""
    return f"\u2068{name}\u2069" if RIGHT_TO_LEFT.search(name) else name


def _draw_text(text: str, place: tuple[float, float], letters: float, ground: str, kind: str = "") -> str:
    """Draw text, mirrored so that it reads normally once the page has mirrored it."""
    x, y = place
    return (
        f'<g class="written" transform="translate({x:.0f} {y:.0f}) scale(-1 1)">{ground}'
        f'<text font-size="{letters:.0f}"{kind}>{escape(text)}</text></g>'
    )
