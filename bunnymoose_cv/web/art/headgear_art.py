"""Antlers and ears as hands make them, drawn at a head that faces us.

All is drawn at the right of the image, in units of a head 92 wide: origin in the middle of the head, x to the right,
y down. `at_side` puts it where it belongs: the player's left at the left of the image, as in a mirror and on the
cards.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, radians, sin
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.cards import ANTLER_PATTERNS, AntlerPattern
from bunnymoose_cv.rules.pose import ANTLERS, EARS, Antler, Direction, Ear, Form, Place, Side, Spread
from bunnymoose_cv.web.art.ink import FINE, INK, MOOSE, RABBIT, group, image, limbs, line

if TYPE_CHECKING:
    from bunnymoose_cv.rules.cards import Pattern
    from bunnymoose_cv.rules.pose import Headgear

_FINGER = 15.0
_TEMPLE = (43, -8)
_PALM = (64.0, -19.0)
_FAN = ((8, 47), (41, 56), (74, 57), (107, 48))
"""Directions of a wide antler's fingers, in degrees from straight outward towards up, and their lengths."""
_TOGETHER_DEGREES = 62
_PEEPS = 0.24
"""Scale of a compact antler where a wide one hides it."""


def headgear_art(headgear: Headgear, side: Side, name: str = "") -> str:
    """Draw the headgear of one side of a head, by itself and as in a mirror, 130 × 130.

    Args:
        headgear: nothing is a dash.
        name: what a screen reader says; empty where words beside it say it.
    """
    if headgear is None:
        return image(line("M48 65H82", "currentColor"), (130, 130), name)
    across, down = _middle_of(headgear)
    drawn = group(headgear_at_head(headgear), move=(-across, -down))
    return image(group(at_side(drawn, side), move=(65, 65)), (130, 130), name)


def at_side(drawn: str, side: Side) -> str:
    """Place art drawn for the right of a head at a side of the player's own: as in a mirror, the left at the left.

    Args:
        drawn: elements around the middle of the head.
    """
    return group(drawn, flip=side is Side.LEFT)


def _middle_of(headgear: Antler | Ear) -> tuple[float, float]:
    """Middle of a headgear, from the middle of the head."""
    if isinstance(headgear, Antler):
        return (78, -38 if headgear.direction is Direction.UP else 22)
    return (30, -88) if headgear.place is Place.TOP else (82, -28)


def headgear_at_head(headgear: Antler | Ear, strength: float = 1) -> str:
    """The hand of one antler or ear, at the right of a head.

    Args:
        strength: of its colour; below 1 it is one of several that it could be.
    """
    if isinstance(headgear, Ear):
        return _ear(headgear, strength)
    antler = _antler(headgear.spread, strength)
    if headgear.direction is Direction.UP:
        return antler
    return f'<g transform="translate(0 {2 * _TEMPLE[1]}) scale(1 -1)">{antler}</g>'


def pattern_at_head(pattern: Pattern) -> str:
    """Draw a card's pattern at the right of a head: where a field is open, both shapes, pale."""
    every: tuple[Antler | Ear, ...] = (*ANTLERS, *EARS)
    shown = [headgear for headgear in every if pattern.matches(headgear)]
    if len(shown) == 1:
        return headgear_at_head(shown[0])
    before, behind = sorted(shown, key=_lies_behind)
    pale = headgear_at_head(behind, 0.22)
    if isinstance(pattern, AntlerPattern) and pattern.spread is None:
        peeping = -_PEEPS * _TEMPLE[0], -_PEEPS * _TEMPLE[1]  # grown around the temple, to be seen behind the other
        pale = group(pale, move=peeping, scale=1 + _PEEPS)
    return pale + headgear_at_head(before, 0.5)


def _lies_behind(headgear: Antler | Ear) -> bool:
    """Tell if it lies behind its alternative, so that both can be told: one looks through between parted fingers."""
    return headgear.spread is Spread.COMPACT if isinstance(headgear, Antler) else headgear.form is Form.FLOPPY


def is_open(pattern: Pattern) -> bool:
    """Tell if a card leaves a field of this open."""
    return "?" in str(pattern)


def is_antler(pattern: Pattern) -> bool:
    """Tell if a card asks for an antler here."""
    return pattern in ANTLER_PATTERNS


def _on_ray(start: tuple[float, float], degrees: float, length: float) -> tuple[float, float]:
    """The point so far from another one; degrees from straight outward towards up."""
    return start[0] + length * cos(radians(degrees)), start[1] - length * sin(radians(degrees))


def _ray(start: tuple[float, float], degrees: float, length: float) -> str:
    """A straight finger."""
    across, down = _on_ray(start, degrees, length)
    return f"M{start[0]:.1f} {start[1]:.1f}L{across:.1f} {down:.1f}"


def _antler(spread: Spread, strength: float) -> str:
    """An antler that points up: thumb at the temple, four fingers parted or together."""
    thumb = f"M{_TEMPLE[0]} {_TEMPLE[1]}L{_PALM[0]} {_PALM[1]}"
    if spread is Spread.WIDE:
        fingers = "".join(_ray(_PALM, degrees, length) for degrees, length in _FAN)
        web = "M" + "L".join("{:.1f} {:.1f}".format(*_on_ray(_PALM, degrees, 17)) for degrees, _ in _FAN)
        return limbs(thumb + web + fingers, MOOSE, _FINGER, strength=strength)
    across = radians(_TOGETHER_DEGREES - 90)
    roots = [(_PALM[0] + cos(across) * off, _PALM[1] - sin(across) * off) for off in (19.5, 6.5, -6.5, -19.5)]
    fingers = "".join(
        _ray(root, _TOGETHER_DEGREES, length) for root, length in zip(roots, (38, 47, 48, 41), strict=True)
    )
    between = [((one[0] + other[0]) / 2, (one[1] + other[1]) / 2) for one, other in pairwise(roots)]
    creases = "".join(_ray(root, _TOGETHER_DEGREES, 38) for root in between)
    palm = f"M{roots[0][0]:.1f} {roots[0][1]:.1f}L{roots[-1][0]:.1f} {roots[-1][1]:.1f}"
    return limbs(thumb + palm + fingers, MOOSE, _FINGER, strength=strength) + line(creases, INK, FINE)


def _ear(ear: Ear, strength: float) -> str:
    """A fist with two fingers, drawn upright and turned to its place."""
    straight, floppy = "M-9 -8L-15 -60M10 -8L17 -60", "M-9 -6V-34C-9 -70 46 -70 46 -22M10 -6V-32C10 -46 27 -46 27 -24"
    fingers = straight if ear.form is Form.STRAIGHT else floppy
    fist = "M-9 -2H10M-7 6H8"
    drawn = limbs(fingers + fist, RABBIT, _FINGER, strength=strength) + line("M-10 3C-4 -3 5 -3 9 4", INK, FINE)
    return group(drawn, move=(26, -47), turn=4) if ear.place is Place.TOP else group(drawn, move=(52, -12), turn=48)
