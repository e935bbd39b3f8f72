"""Live overlay of the readings: line art where hands are, a name over each head, doubts.

Whoever has stirred since the hands were looked at is drawn nothing over: what was read there holds no longer.

Pure: a reading becomes SVG in the pixels of the unmirrored image. The page mirrors image and overlay together, so
only what is written is mirrored here beforehand.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import ANTLERS, EARS, Antler, Ear, Side, Tongue
from bunnymoose_cv.web.art.headgear_art import headgear_at_head

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.web.live.player_styles import PlayerStyle

HEAD_WIDTH: Final = 92.0
"""Of a head in our line art (art/headgear_art.py), whose origin is its middle."""

WIDTH_OF_HEAD: Final = 2.9
"""Of a person's head, eye distances; a little more than it is, so that the art stands clear of the face."""

NAME_ABOVE: Final = 3.5
"""Height of a name above the eyes, in eye distances: above the hands."""

DOUBT_AT: Final = (2.6, 1.9)
"""Position of a doubt about a side: so many eye distances outward of the eyes' middle, and above it."""

LETTERS: Final = (0.030, 0.052)
"""The height of a name's letters, at least and at most, as a share of the image's width."""

LETTER_WIDTH: Final = 0.64
"""Of a bold letter, as a share of its height: a little more than most have."""

NAME_WIDTH: Final = 0.3
"""Of the image, at most: longer names are cut, so that they cover none of the next player's."""

ROW_WIDTH: Final = 0.9
"""Of the image: all names together."""

_DRAWN: Final[tuple[Antler | Ear, ...]] = (*ANTLERS, *EARS)


def art_definitions() -> str:
    """Line art of every headgear once, so that overlays only refer to it."""
    symbols = "".join(f'<g id="over-{headgear}">{headgear_at_head(headgear)}</g>' for headgear in _DRAWN)
    return f'<svg width="0" height="0" aria-hidden="true"><defs>{symbols}</defs></svg>'


def overlay(
    reading: FrameReading, seats: Sequence[str], styles: Mapping[str, PlayerStyle], *, named: bool = True
) -> str:
    """Draw a reading.

    Args:
        reading: its players carry their seats.
        seats: who sits there, from the image's left.
        named: whether it is known that they sit there by now.

    Returns:
        SVG with the image's own size as its coordinates, unmirrored.
    """
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
    """Names of the seats that are not found in the image."""
    found = {player.seat for player in reading.players}
    return tuple(player for seat, player in enumerate(seats, 1) if seat not in found)


def head_transform(head: Head) -> str:
    """Transform of art drawn at a head 92 wide onto a head in the image: its place, its tilt, its size."""
    x, y = head.centre
    scale = WIDTH_OF_HEAD * head.eye_distance / HEAD_WIDTH
    return f"translate({x:.0f} {y:.0f}) rotate({head.tilt_degrees:.0f}) scale({scale:.2f})"


def _headgear(player: PlayerReading) -> str:
    """Draw both sides of a head, and the tongue, with a question mark where that is unclear."""
    head = player.player.head
    art = "".join(_art(player, side) for side in Side)
    doubts = "".join(_doubt(head.at(*_outward(side)), head) for side in _unclear_sides(player))
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


def _unclear_sides(player: PlayerReading) -> Iterator[Side]:
    return (side for side in Side if player.headgear[side].unclear)


def _outward(side: Side) -> tuple[float, float]:
    outward, upward = DOUBT_AT
    return (outward if side is Side.LEFT else -outward), upward


def _doubt(place: tuple[float, float], head: Head) -> str:
    radius = 0.62 * head.eye_distance
    return _draw_text("?", place, radius * 1.5, f'<circle class="doubt" r="{radius:.0f}"/>')


def _name(player: PlayerReading, name: str, style: PlayerStyle, width: int, most: float) -> str:
    """Name above a head, with its symbol no wider than `most` of the image."""
    head, sign = player.player.head, f"{style.symbol} "
    letters = min(max(0.95 * head.eye_distance, LETTERS[0] * width), LETTERS[1] * width)
    doubt = " ?" if player.unclear and not player.has_moved else ""
    text = f"{sign}{_short(name, int(most * width / (LETTER_WIDTH * letters)) - len(sign))}{doubt}"
    half = LETTER_WIDTH * letters * len(text) / 2
    x, y = head.at(0, NAME_ABOVE)
    place = (min(max(x, half), width - half), max(y, letters))
    return _draw_text(text, place, letters, "", f' data-look="{style.number}"')


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _draw_text(text: str, place: tuple[float, float], letters: float, ground: str, kind: str = "") -> str:
    """Text mark-up, mirrored beforehand so that it can be read in the mirror."""
    x, y = place
    return (
        f'<g class="written" transform="translate({x:.0f} {y:.0f}) scale(-1 1)">{ground}'
        f'<text font-size="{letters:.0f}"{kind}>{escape(text)}</text></g>'
    )
