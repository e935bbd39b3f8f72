"""Conditions of a rendered photograph of cards, drawn by group and seed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


class Group(Enum):
    """Groups of conditions that are reported apart."""

    PHONE = "phone on the mat"
    WEBCAM = "webcam at 40° on the mat"
    PLAIN = "no mat, plain cloth"
    PATTERN = "no mat, wood or pattern"
    HARD = "everything at once"


class Cloth(Enum):
    """Surfaces that the cards, or the mat, lie on."""

    DARK = "dark"
    WHITE = "white"
    WOOD = "wood"
    CHECKED = "checked"
    GLASS = "glass"


class Glare(Enum):
    """Reflections."""

    NONE = "none"
    BLOB = "blob"
    STRIPE = "stripe"


class Cover(Enum):
    """Objects that hide a part of one card."""

    NONE = "none"
    CORNER = "finger at a corner"
    FINGERS = "fingers across"


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions that a photograph is rendered from, but for the cards.

    Attributes:
        height_px: of a card that is seen from straight above.
        tilt_deg: of the camera from the vertical;  yaw_deg: of the row in the image; 180 is the narrator's side.
        defocus_px, motion_px: standard deviation, length.
        noise: standard deviation of the sensor's noise, 0 to 255.
        exposure: factor.  warmth: factor of red over blue.
        bend_mm: of a card at its middle.
        pile: cards on a place.  offset_mm: largest, of a card of a pile.
        beside: how many other things lie there.
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
    glare: Glare
    sleeves: bool
    bend_mm: float
    cover: Cover
    pile: int
    offset_mm: float
    cloth: Cloth
    mat: bool
    beside: int
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
    return Conditions(
        group=group,
        height_px=_height(group, rng),
        tilt_deg={Group.WEBCAM: 40.0, Group.HARD: among(0, 20, 40, 60)}.get(group, float(rng.uniform(0, 30))),
        yaw_deg=turn + float(rng.normal(0, 8 if hard else 4)),
        defocus_px=among(0, 1, 2, 3) if hard else float(rng.uniform(0, 0.8)),
        motion_px=int(among(0, 0, 5, 9, 15)) if hard else 0,
        noise=among(2, 8, 18) if hard else float(rng.uniform(2, 8)),
        exposure=among(0.3, 1, 1.8) if hard else float(rng.uniform(0.75, 1.2)),
        warmth=among(0.75, 1, 1.35) if hard else float(rng.uniform(0.85, 1.2)),
        glare=list(Glare)[rng.choice(3, p=(0.5, 0.25, 0.25))] if hard else Glare.NONE,
        sleeves=bool(rng.random() < (0.3 if hard else 0.15)),
        bend_mm=among(0, 3, 6) if hard else float(rng.uniform(0, 1.5)),
        cover=list(Cover)[rng.choice(3, p=(0.5, 0.25, 0.25))] if hard else Cover.NONE,
        pile=int(among(1, 3, 10)),
        offset_mm=float(rng.uniform(0, 8)) if hard else float(rng.uniform(0, 5)),
        cloth=cloths[rng.integers(len(cloths))],
        mat=group in (Group.PHONE, Group.WEBCAM) or (hard and bool(rng.random() < 0.7)),
        beside=int(rng.integers(0, 4)),
        jpeg=int(rng.integers(60, 96)),
    )


def _height(group: Group, rng: np.random.Generator) -> float:
    match group:
        case Group.WEBCAM:
            return float(rng.uniform(170, 215))
        case Group.HARD:
            return float((60, 90, 120, 160, 215)[rng.integers(5)])
        case _:
            return float(rng.uniform(165, 215))
