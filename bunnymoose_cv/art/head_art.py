"""Friendly heads that face us, and the antlers and ears that hands make at them.

Headgear is drawn at the right of the image, in units of a head 92 wide: origin in the middle of the head, x to the
right, y down. `at_side` mirrors it for the player's left, which is at the left of the image, as in a mirror and on the
cards.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, radians, sin
from typing import TYPE_CHECKING

from bunnymoose_cv.art import art_names
from bunnymoose_cv.art.ink import (
    FINE,
    FOREST,
    INK,
    MOOSE,
    PAPER,
    RABBIT,
    TONGUE,
    dot,
    group,
    image,
    limbs,
    line,
    patch,
    shape,
)
from bunnymoose_cv.rules.cards import ANTLER_PATTERNS, AntlerPattern
from bunnymoose_cv.rules.pose import ANTLERS, EARS, Animal, Antler, Direction, Ear, Form, Place, Side, Spread, Tongue

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Pattern
    from bunnymoose_cv.rules.pose import Headgear, Pose


_FINGER = 15.0
_TEMPLE = (43, -8)
_PALM = (64.0, -19.0)
_FAN = ((8, 47), (41, 56), (74, 57), (107, 48))
"""Directions of a wide antler's fingers, in degrees from straight outward towards up, and their lengths."""
_TOGETHER_DEGREES = 62
_PEEPS = 0.24
"""Scale of a compact antler where a wide one hides it."""


def headgear_art(headgear: Headgear, side: Side) -> str:
    """Draw the headgear of one side of a head, by itself and as in a mirror, 130 × 130; None is a dash."""
    if headgear is None:
        return image(line("M48 65H82", "currentColor"), (130, 130))
    across, down = _middle_of(headgear)
    drawn = group(headgear_at_head(headgear), move=(-across, -down))
    return image(group(at_side(drawn, side), move=(65, 65)), (130, 130))


def at_side(drawn: str, side: Side) -> str:
    """Place art around the middle of a head, drawn for its right, at a side of the player, as in a mirror."""
    return group(drawn, flip=side is Side.LEFT)


def _middle_of(headgear: Antler | Ear) -> tuple[float, float]:
    """Return the middle of a headgear, from the middle of the head."""
    if isinstance(headgear, Antler):
        return (78, -38 if headgear.direction is Direction.UP else 22)
    return (30, -88) if headgear.place is Place.TOP else (82, -28)


def headgear_at_head(headgear: Antler | Ear, strength: float = 1) -> str:
    """Draw the hand of one antler or ear, at the right of a head; `strength` is the opacity of its colour."""
    if isinstance(headgear, Ear):
        return _ear(headgear, strength)
    antler = _antler(headgear.spread, strength)
    if headgear.direction is Direction.UP:
        return antler
    return f'<g transform="translate(0 {2 * _TEMPLE[1]}) scale(1 -1)">{antler}</g>'


def pattern_at_head(pattern: Pattern) -> str:
    """Draw a card's pattern at the right of a head; for an open field both shapes, pale."""
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
    """Return whether a headgear is drawn behind its alternative, so that both are visible."""
    return headgear.spread is Spread.COMPACT if isinstance(headgear, Antler) else headgear.form is Form.FLOPPY


def is_open(pattern: Pattern) -> bool:
    """Return whether a pattern has an open field."""
    return "?" in str(pattern)


def is_antler(pattern: Pattern) -> bool:
    """Return whether a pattern asks for an antler."""
    return pattern in ANTLER_PATTERNS


def _on_ray(start: tuple[float, float], degrees: float, length: float) -> tuple[float, float]:
    """Return the point at a distance from another one; degrees are from straight outward towards up."""
    return start[0] + length * cos(radians(degrees)), start[1] - length * sin(radians(degrees))


def _ray(start: tuple[float, float], degrees: float, length: float) -> str:
    """Return the path of a straight finger."""
    across, down = _on_ray(start, degrees, length)
    return f"M{start[0]:.1f} {start[1]:.1f}L{across:.1f} {down:.1f}"


def _antler(spread: Spread, strength: float) -> str:
    """Draw an antler that points up: thumb at the temple, four fingers parted or together."""
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
    """Draw a fist with two fingers, rotated to its place."""
    straight, floppy = "M-9 -8L-15 -60M10 -8L17 -60", "M-9 -6V-34C-9 -70 46 -70 46 -22M10 -6V-32C10 -46 27 -46 27 -24"
    fingers = straight if ear.form is Form.STRAIGHT else floppy
    fist = "M-9 -2H10M-7 6H8"
    drawn = limbs(fingers + fist, RABBIT, _FINGER, strength=strength) + line("M-10 3C-4 -3 5 -3 9 4", INK, FINE)
    return group(drawn, move=(26, -47), turn=4) if ear.place is Place.TOP else group(drawn, move=(52, -12), turn=48)


_SKULL = {
    Animal.MOOSE: (
        "M-41 -16C-41 -44 -22 -52 0 -52S41 -44 41 -16C41 -4 36 4 37"
        " 18 38 42 22 56 0 56S-38 42 -37 18C-36 4 -41 -4 -41 -16Z"
    ),
    Animal.RABBIT: "M0 -50C28 -50 45 -30 46 -4 47 28 28 50 0 50S-47 28 -46 -4C-45 -30 -28 -50 0 -50Z",
    Animal.BUSH: "M0 -50C29 -50 46 -30 46 -1S29 51 0 51-46 28-46 -1-29-50 0-50Z",
}
_COAT = {Animal.MOOSE: MOOSE, Animal.RABBIT: RABBIT, Animal.BUSH: MOOSE}
_WHOLE = (-132, -148, (264, 240))
_LEFT_HALF = (-132, -140, (186, 222))
_RIGHT_HALF = (-54, -140, (186, 222))
_FACE = (-66, -74, (132, 142))
"""Last of the four views of a head, each with left and upper edge from its middle, and size."""

_STRENGTH = {Animal.MOOSE: 0.42, Animal.RABBIT: 0.36, Animal.BUSH: 0.2}


def pose_art(pose: Pose, texts: Texts) -> str:
    """Draw a pose as in a mirror: a head with its headgear and tongue, 264 × 240.

    Two antlers make it a moose, two ears a rabbit; every other head looks out of a bush.
    """
    bush = _leaves() if pose.animal is Animal.BUSH else ""
    drawn = bush + head(pose.animal, tongue=pose.tongue is Tongue.OUT) + _worn(pose, Side)
    left, up, size = _WHOLE
    return image(group(drawn, move=(-left, -up)), size, art_names.pose_name(pose, texts))


def doubt_art(pose: Pose, sides: Collection[Side], *, tongue: bool) -> str:
    """Draw only the parts of a pose that are in doubt, as large as possible, at a plain head as in a mirror.

    Without a doubt about the tongue the mouth is closed.
    """
    left, up, size = _WHOLE
    if not sides:
        left, up, size = _FACE
    elif len(sides) == 1 and not tongue:
        left, up, size = _LEFT_HALF if Side.LEFT in sides else _RIGHT_HALF
    drawn = head(Animal.BUSH, tongue=tongue and pose.tongue is Tongue.OUT) + _worn(pose, sides)
    return image(group(drawn, move=(-left, -up)), size)


def _worn(pose: Pose, sides: Iterable[Side]) -> str:
    worn = ((pose.headgear(side), side) for side in sides)
    return "".join(at_side(headgear_at_head(headgear), side) for headgear, side in worn if headgear is not None)


def head(animal: Animal, *, tongue: bool = False) -> str:
    """Draw a head about 92 wide around its middle, without headgear."""
    drawn = shape(_SKULL[animal], _COAT[animal], strength=_STRENGTH[animal])
    drawn += {Animal.MOOSE: _moose_face, Animal.RABBIT: _rabbit_face, Animal.BUSH: _plain_face}[animal](tongue)
    return drawn


def _eyes(apart: float, down: float) -> str:
    return "".join(dot(x, down, 5.5) + dot(x + 1.8, down - 1.8, 1.7, PAPER) for x in (-apart, apart))


def _tongue(down: float) -> str:
    out = f"M-12 {down}V{down + 17}C-12 {down + 33} 12 {down + 33} 12 {down + 17}V{down}Z"
    return shape(out, TONGUE) + line(f"M0 {down + 5}V{down + 17}", INK, FINE)


def _moose_face(tongue: bool) -> str:  # noqa: FBT001 - called from head alone
    muzzle = "M0 2C24 2 34.5 12 34.5 28 34.5 46 20 53.5 0 53.5S-34.5 46 -34.5 28C-34.5 12 -24 2 0 2Z"
    face = patch(muzzle, PAPER, 0.6) + line("M-35 27C-34 10 -22 2 0 2S34 10 35 27", INK, FINE)
    face += _eyes(17, -14) + line("M-26 -26C-22 -30 -16 -31 -12 -29M12 -29C16 -31 22 -30 26 -26", INK, FINE)
    face += line("M-13 20C-11 17 -8 17 -7 20M7 20C8 17 11 17 13 20", INK, 5.5)
    return face + line("M-17 37C-8 43 8 43 17 37", INK, FINE) + (_tongue(41) if tongue else "")


def _rabbit_face(tongue: bool) -> str:  # noqa: FBT001 - called from head alone
    face = patch("M-24 22C-24 8 -12 6 0 12 12 6 24 8 24 22 24 36 12 40 0 40S-24 36 -24 22Z", PAPER, 0.6)
    face += _eyes(18, -10) + patch("M-7 8H7C8 12 3 17 0 17S-8 12 -7 8Z", INK)
    face += line("M0 17V24M-14 24C-9 30 -2 29 0 24 2 29 9 30 14 24", INK, FINE)
    face += line("M-28 16L-56 10M-28 23L-55 26M28 16L56 10M28 23L55 26", INK, 3)
    return face + (
        _tongue(29)
        if tongue
        else shape("M-7 28H7V38C7 40 -7 40 -7 38Z", PAPER, width=FINE) + line("M0 29V38", INK, 2.5)
    )


def _plain_face(tongue: bool) -> str:  # noqa: FBT001 - called from head alone
    face = line("M-4 -50C-10 -62 -2 -70 5 -66M4 -50C3 -58 9 -64 15 -59")
    face += patch("M-35 14a8 6 0 1 0 16 0a8 6 0 1 0-16 0M19 14a8 6 0 1 0 16 0a8 6 0 1 0-16 0", TONGUE, 0.4)
    if not tongue:
        return face + _eyes(17, -8) + line("M-16 20C-8 30 8 30 16 20", INK, FINE)
    wink = line("M10 -10C14 -4 20 -4 25 -10")
    return (
        face
        + dot(-17, -8, 5.5)
        + dot(-15.2, -9.8, 1.7, PAPER)
        + wink
        + line("M-21 23C-10 27 10 27 21 23")
        + _tongue(26)
    )


def _leaves() -> str:
    """Draw the bush that a head looks out of."""
    outline = (
        "M-58 74C-84 76 -94 52 -78 40-96 26-84 2-66 6-70-16-48-30-32-18-26-38"
        " 26-38 32-18 48-30 70-16 66 6 84 2 96 26 78 40"
        " 94 52 84 76 58 74 40 88 18 84 0 84S-40 88 -58 74Z"
    )
    twigs = "M-74 60C-66 50 -56 52 -52 60M-84 26C-78 16 -68 16 -62 24M52 60C56 52 66 50 74 60M62 24C68 16 78 16 84 26"
    return shape(outline, FOREST, strength=0.75) + line(twigs, INK, FINE)
