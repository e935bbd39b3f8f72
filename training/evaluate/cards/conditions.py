"""Conditions of a rendered photograph of cards, drawn by group and seed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


class Group(Enum):
    """Groups of conditions with separate figures."""

    PHONE = "phone on the mat"
    WEBCAM = "webcam at 40° on the mat"
    PLAIN = "no mat, plain cloth"
    PATTERN = "no mat, wood or pattern"
    HARD = "everything at once"
    PRINTED = "printed deck, phone on the mat"


class Cloth(Enum):
    """Surfaces under the cards or the mat."""

    DARK = "dark"
    WHITE = "white"
    WOOD = "wood"
    CHECKED = "checked"
    GLASS = "glass"


class Glare(Enum):
    """Reflections."""

    NONE = "none"
    BLOB = "blob"
    DIGIT = "blob on a digit"
    STRIPE = "stripe"


class Cover(Enum):
    """Objects that hide a part of one card."""

    NONE = "none"
    CORNER = "finger at a corner"
    FINGERS = "fingers across"
    NEIGHBOUR = "another card over an edge"


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions for rendering a photograph, apart from the cards.

    Attributes:
        height_px: height of a card seen from straight above.
        tilt_deg, yaw_deg: turn of the camera from the vertical, and of the row; 180 is the narrator's side.
        defocus_px, motion_px: standard deviation of the defocus, length of the motion blur.
        noise: standard deviation of the sensor's noise, 0 to 255.
        exposure, warmth, tint: factors of the light, of red over blue, of green over both.
        bend_mm: rise of a card at its middle.
        pile, offset_mm: number of cards on a place, and the largest offset of one of them.
        beside: number of other things.
        piles, gap_mm, row_bend_mm: number of places, gaps and bend of the row; the last two only without a mat.
    """

    group: Group
    height_px: float
    tilt_deg: float
    yaw_deg: float
    defocus_px: float
    motion_px: int
    noise: float
    exposure: float
    warmth: float
    tint: float
    glare: Glare
    sleeves: bool
    bend_mm: float
    cover: Cover
    pile: int
    offset_mm: float
    cloth: Cloth
    mat: bool
    beside: int
    piles: int
    gap_mm: float
    row_bend_mm: float
    jpeg: int


def sample(group: Group, rng: np.random.Generator) -> Conditions:
    """Draw the conditions of one photograph."""

    def among(*values: float) -> float:
        return float(values[rng.integers(len(values))])

    hard = group is Group.HARD
    turn = 180.0 * rng.integers(2)
    cloths = {
        Group.PLAIN: (Cloth.DARK, Cloth.WHITE),
        Group.PATTERN: (Cloth.WOOD, Cloth.CHECKED, Cloth.GLASS),
    }.get(group, tuple(Cloth))
    mat = group in (Group.PHONE, Group.WEBCAM, Group.PRINTED) or (hard and bool(rng.random() < 0.7))
    return Conditions(
        group=group,
        height_px=_height(group, rng),
        tilt_deg={Group.WEBCAM: 40.0, Group.HARD: among(0, 20, 40, 60)}.get(group, float(rng.uniform(0, 30))),
        yaw_deg=float(rng.uniform(0, 360)) if hard and rng.random() < 0.5 else turn + float(rng.normal(0, 4)),
        defocus_px=among(0, 1, 2, 3) if hard else float(rng.uniform(0, 0.8)),
        motion_px=int(among(0, 0, 5, 9, 15)) if hard else 0,
        noise=among(2, 8, 18) if hard else float(rng.uniform(2, 8)),
        exposure=among(0.3, 1, 1.8) if hard else float(rng.uniform(0.75, 1.2)),
        warmth=among(0.75, 1, 1.35) if hard else float(rng.uniform(0.85, 1.2)),
        tint=among(0.8, 1, 1, 1.2) if hard else float(rng.uniform(0.95, 1.05)),
        glare=list(Glare)[rng.choice(4, p=(0.4, 0.2, 0.2, 0.2))] if hard else Glare.NONE,
        sleeves=bool(rng.random() < (0.3 if hard else 0.15)),
        bend_mm=among(0, 3, 6) if hard else float(rng.uniform(0, 1.5)),
        cover=list(Cover)[rng.choice(4, p=(0.4, 0.2, 0.2, 0.2))] if hard else Cover.NONE,
        pile=int(among(1, 3, 10)),
        offset_mm=float(rng.uniform(0, 8)) if hard else float(rng.uniform(0, 5)),
        cloth=cloths[rng.integers(len(cloths))],
        mat=mat,
        beside=int(rng.integers(0, 4)),
        piles=_piles(group, rng, mat=mat),
        gap_mm=float(rng.uniform(5 if hard else 15, 60)),
        row_bend_mm=float(rng.uniform(-15, 15)),
        jpeg=int(rng.integers(60, 96)),
    )


def _piles(group: Group, rng: np.random.Generator, *, mat: bool) -> int:
    """Draw the number of piles: 6 as in the usual game, or otherwise 8 on a mat and 4 to 8 without one."""
    if mat:
        return 8 if group is Group.HARD and rng.random() < 0.25 else 6
    return int((4, 6, 6, 8)[rng.integers(4)])


def _height(group: Group, rng: np.random.Generator) -> float:
    match group:
        case Group.WEBCAM:
            return float(rng.uniform(170, 215))
        case Group.HARD:
            return float((40, 60, 90, 140, 220, 300)[rng.integers(6)])
        case _:
            return float(rng.uniform(165, 215))
