"""Antlers and ears as hands make them, drawn at a head that faces us. Owns no head and no cards.

All is drawn at the right of the picture, in units of a head 92 wide: origin in the middle of the head, x to the right,
y down. `at_side` puts it where it belongs: a head that faces us has the player's left at the right of the picture, a
mirror and the cards have it at the left (RULES.md section 1).
"""

from __future__ import annotations

from math import cos, radians, sin
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.cards import ANTLER_PATTERNS
from bunnymoose_cv.rules.pose import ANTLERS, EARS, Antler, Direction, Ear, Form, Place, Side, Spread
from bunnymoose_cv.screen.art.ink import FINE, INK, MOOSE, RABBIT, faint, group, limbs, line, picture

if TYPE_CHECKING:
    from bunnymoose_cv.rules.cards import Pattern
    from bunnymoose_cv.rules.pose import Headgear

_FINGER = 15.0
_TEMPLE = (43, -8)
_PALM = (66.0, -20.0)
_FAN_DEGREES = (10, 42, 74, 106)
"""Where the fingers of a wide antler point, from straight outward towards up."""
_COMPACT_DEGREES = 62


def headgear_art(headgear: Headgear, side: Side, name: str = "", *, mirrored: bool = False) -> str:
    """What stands on one side of a head, by itself, as a picture 130 × 130.

    Args:
        headgear: nothing is a dash.
        side: the player's own.
        name: what a screen reader says; empty where words beside it say it.
        mirrored: as a mirror and the cards show it, instead of as we see who faces us.
    """
    if headgear is None:
        return picture(line("M48 65H82", "currentColor"), (130, 130), name)
    across, down = _middle_of(headgear)
    drawn = group(headgear_at_head(headgear), move=(-across, -down))
    return picture(group(at_side(drawn, side, mirrored=mirrored), move=(65, 65)), (130, 130), name)


def at_side(drawn: str, side: Side, *, mirrored: bool) -> str:
    """What was drawn for the right of a head, at a side of the player's own.

    Args:
        drawn: elements around the middle of the head.
        side: the player's own.
        mirrored: as a mirror and the cards show it, the player's left at the left; otherwise as we see who faces us.
    """
    return group(drawn, flip=(side is Side.LEFT) == mirrored)


def _middle_of(headgear: Antler | Ear) -> tuple[float, float]:
    """Where a headgear has its middle, from the middle of the head."""
    if isinstance(headgear, Antler):
        return (78, -38 if headgear.direction is Direction.UP else 22)
    return (30, -88) if headgear.place is Place.TOP else (82, -28)


def headgear_at_head(headgear: Antler | Ear) -> str:
    """The hand of one antler or ear, at the right of a head."""
    if isinstance(headgear, Antler):
        up = headgear.direction is Direction.UP
        return f'<g transform="translate(0 {0 if up else 2 * _TEMPLE[1]:g}) scale(1 {1 if up else -1})">{_antler(headgear.spread)}</g>'
    return _ear(headgear)


def pattern_at_head(pattern: Pattern) -> str:
    """What a card asks of one side, at the right of a head: where a field is open, both shapes, faint."""
    shown = [headgear for headgear in (*ANTLERS, *EARS) if pattern.matches(headgear)]
    if len(shown) == 1:
        return headgear_at_head(shown[0])
    return "".join(faint(headgear_at_head(each), 0.5) for each in shown)


def is_open(pattern: Pattern) -> bool:
    """Whether a card leaves a field of this open."""
    return "?" in str(pattern)


def is_antler(pattern: Pattern) -> bool:
    """Whether a card asks for an antler here."""
    return pattern in ANTLER_PATTERNS


def _ray(start: tuple[float, float], degrees: float, length: float) -> str:
    """A straight finger; degrees from straight outward towards up."""
    return f"M{start[0]:.1f} {start[1]:.1f}l{length * cos(radians(degrees)):.1f} {-length * sin(radians(degrees)):.1f}"


def _antler(spread: Spread) -> str:
    thumb = f"M{_PALM[0]} {_PALM[1]}L{_TEMPLE[0]} {_TEMPLE[1]}"
    if spread is Spread.WIDE:
        fingers = "".join(
            _ray(_PALM, degrees, length) for degrees, length in zip(_FAN_DEGREES, (42, 50, 50, 44), strict=True)
        )
        return limbs(thumb + fingers, MOOSE, _FINGER)
    across = radians(_COMPACT_DEGREES - 90)
    starts = [(_PALM[0] + cos(across) * off, _PALM[1] - sin(across) * off) for off in (19.5, 6.5, -6.5, -19.5)]
    lengths = (38, 46, 47, 41)
    fingers = "".join(_ray(start, _COMPACT_DEGREES, length) for start, length in zip(starts, lengths, strict=True))
    creases = "".join(
        _ray(((one[0] + other[0]) / 2, (one[1] + other[1]) / 2), _COMPACT_DEGREES, 38)
        for one, other in zip(starts, starts[1:], strict=False)
    )
    palm = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in starts)
    return limbs(thumb + palm + fingers, MOOSE, _FINGER) + line(creases, INK, FINE)


def _ear(ear: Ear) -> str:
    """A fist with two fingers, drawn upright and turned to its place."""
    if ear.form is Form.STRAIGHT:
        fingers = "M-8 -8 L-12 -62 M8 -8 L14 -62"
    else:
        fingers = "M-8 -6 V-34 C-8 -78 52 -78 52 -26 M9 -6 V-32 C9 -50 31 -50 31 -20"
    fist = "M-7 4H7"
    tuck = line("M-9 3C-3 -3 6 -3 10 4", INK, FINE)
    drawn = limbs(fingers, RABBIT, _FINGER) + limbs(fist, RABBIT, 26) + line(fingers, RABBIT, _FINGER) + tuck
    top = ear.place is Place.TOP
    return group(drawn, move=(25, -48) if top else (56, -8), turn=4 if top else 58)
