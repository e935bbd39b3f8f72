"""Friendly heads that face us: moose, rabbit, bush and a plain one, with what stands on them. Owns no cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Animal, Side, Tongue
from bunnymoose_cv.screen.art import names
from bunnymoose_cv.screen.art.headgear import at_side, headgear_at_head
from bunnymoose_cv.screen.art.ink import (
    FINE,
    FOREST,
    INK,
    MOOSE,
    PAPER,
    RABBIT,
    TONGUE,
    dot,
    group,
    line,
    patch,
    picture,
    shape,
)

if TYPE_CHECKING:
    from bunnymoose_cv.catalogue.texts import Texts
    from bunnymoose_cv.rules.pose import Pose

_SKULL = {
    Animal.MOOSE: "M-40 -18C-40 -46 -20 -52 0 -52S40 -46 40 -18C40 -2 34 6 33 18 33 40 20 54 0 54S-33 40 -33 18C-34 6 -40 -2 -40 -18Z",
    Animal.RABBIT: "M0 -50C28 -50 45 -30 46 -4 47 28 28 50 0 50S-47 28 -46 -4C-45 -30 -28 -50 0 -50Z",
    Animal.BUSH: "M0 -50C27 -50 44 -28 44 0S27 50 0 50-44 28-44 0-27-50 0-50Z",
}
_COAT = {Animal.MOOSE: MOOSE, Animal.RABBIT: RABBIT, Animal.BUSH: FOREST}


def pose_art(pose: Pose, texts: Texts, *, mirrored: bool = False) -> str:
    """What somebody shows: a head with its headgear and tongue, 250 × 250.

    Two antlers make it a moose, two ears a rabbit, everything else looks out of a bush.

    Args:
        pose: left and right are the player's own.
        texts: for the name that a screen reader says.
        mirrored: as the player's mirror shows it, left at the left, like the cards; otherwise as we see who faces us.
    """
    inside = _leaves() if pose.animal is Animal.BUSH else ""
    inside += head(pose.animal, tongue=pose.tongue is Tongue.OUT)
    for side in Side:
        headgear = pose.headgear(side)
        if headgear is not None:
            inside += at_side(headgear_at_head(headgear), side, mirrored=mirrored)
    return picture(group(inside, move=(125, 158)), (250, 250), names.pose_name(pose, texts))


def head(animal: Animal, *, tongue: bool = False) -> str:
    """A head about 92 wide around its middle, without what stands on it."""
    drawn = shape(_SKULL[animal], _COAT[animal], strength=0.38)
    drawn += {Animal.MOOSE: _moose_face, Animal.RABBIT: _rabbit_face, Animal.BUSH: _plain_face}[animal](tongue)
    return drawn


def _eyes(apart: float, down: float) -> str:
    return "".join(dot(x, down, 5.5) + dot(x + 1.8, down - 1.8, 1.7, PAPER) for x in (-apart, apart))


def _tongue(down: float) -> str:
    out = f"M-12 {down}V{down + 17}C-12 {down + 33} 12 {down + 33} 12 {down + 17}V{down}Z"
    return shape(out, TONGUE) + line(f"M0 {down + 5}V{down + 17}", INK, FINE)


def _moose_face(tongue: bool) -> str:  # noqa: FBT001 - called from head alone
    muzzle = "M0 4C22 4 32 14 32 30 32 46 18 54 0 54S-32 46 -32 30C-32 14 -22 4 0 4Z"
    face = patch(muzzle, PAPER, 0.6) + line("M-32 28C-31 12 -20 4 0 4S31 12 32 28", INK, FINE)
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
    face = _eyes(17, -8) + patch(
        "M-34 14a8 6 0 1 0 16 0a8 6 0 1 0-16 0M18 14a8 6 0 1 0 16 0a8 6 0 1 0-16 0", TONGUE, 0.4
    )
    face += line("M-16 20C-8 30 8 30 16 20", INK, FINE)
    return face + (_tongue(26) if tongue else "")


def _leaves() -> str:
    """The bush that a head looks out of."""
    outline = (
        "M-58 74C-84 76 -94 52 -78 40-96 26-84 2-66 6-70-16-48-30-32-18-26-38 26-38 32-18 48-30 70-16 66 6 84 2 96 26 78 40"
        " 94 52 84 76 58 74 40 88 18 84 0 84S-40 88 -58 74Z"
    )
    return shape(outline, FOREST, strength=0.75)
