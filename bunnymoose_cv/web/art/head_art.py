"""Friendly heads that face us: moose, rabbit, bush and a plain one, with what stands on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Animal, Side, Tongue
from bunnymoose_cv.web.art import art_names
from bunnymoose_cv.web.art.headgear_art import at_side, headgear_at_head
from bunnymoose_cv.web.art.ink import (
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
    line,
    patch,
    shape,
)

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.pose import Pose

_SKULL = {
    Animal.MOOSE: (
        "M-41 -16C-41 -44 -22 -52 0 -52S41 -44 41 -16C41 -4 36 4 37"
        " 18 38 42 22 56 0 56S-38 42 -37 18C-36 4 -41 -4 -41 -16Z"
    ),
    Animal.RABBIT: "M0 -50C28 -50 45 -30 46 -4 47 28 28 50 0 50S-47 28 -46 -4C-45 -30 -28 -50 0 -50Z",
    Animal.BUSH: "M0 -50C29 -50 46 -30 46 -1S29 51 0 51-46 28-46 -1-29-50 0-50Z",
}
_COAT = {Animal.MOOSE: MOOSE, Animal.RABBIT: RABBIT, Animal.BUSH: MOOSE}
_STRENGTH = {Animal.MOOSE: 0.42, Animal.RABBIT: 0.36, Animal.BUSH: 0.2}


def pose_art(pose: Pose, texts: Texts) -> str:
    """Draw a pose as in a mirror: a head with its headgear and tongue, 264 × 240.

    Two antlers make it a moose, two ears a rabbit, everything else looks out of a bush.

    Args:
        pose: left and right are the player's own.
    """
    inside = _leaves() if pose.animal is Animal.BUSH else ""
    inside += head(pose.animal, tongue=pose.tongue is Tongue.OUT)
    for side in Side:
        headgear = pose.headgear(side)
        if headgear is not None:
            inside += at_side(headgear_at_head(headgear), side)
    return image(group(inside, move=(132, 148)), (264, 240), art_names.pose_name(pose, texts))


def head(animal: Animal, *, tongue: bool = False) -> str:
    """A head about 92 wide around its middle, without what stands on it."""
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
    """The bush that a head looks out of."""
    outline = (
        "M-58 74C-84 76 -94 52 -78 40-96 26-84 2-66 6-70-16-48-30-32-18-26-38"
        " 26-38 32-18 48-30 70-16 66 6 84 2 96 26 78 40"
        " 94 52 84 76 58 74 40 88 18 84 0 84S-40 88 -58 74Z"
    )
    twigs = "M-74 60C-66 50 -56 52 -52 60M-84 26C-78 16 -68 16 -62 24M52 60C56 52 66 50 74 60M62 24C68 16 78 16 84 26"
    return shape(outline, FOREST, strength=0.75) + line(twigs, INK, FINE)
