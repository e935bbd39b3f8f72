"""Composites of mouths: mouths grafted into other faces, tongues pasted over lips, objects held before mouths.

Photographs show fingers, straws, spoons and food at mouths, which may look like tongues; renders hardly show any.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from training.augmentation import as_bytes, feathered, moved_by, pasted
from training.geometry import leading, rotation
from training.tongue.mouth_crops import EYE, LIPS, WIDE_SIZE

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image

Scene = npt.NDArray[np.float32]
"""A wide crop during compositing, shape (WIDE_SIZE, WIDE_SIZE, 3), 0 to 255."""

Vector = npt.NDArray[np.float64]
Share = npt.NDArray[np.float64]
"""Map with a number for each pixel of a wide crop, shape (WIDE_SIZE, WIDE_SIZE, 1)."""

_ROWS, _COLUMNS = np.mgrid[0:WIDE_SIZE, 0:WIDE_SIZE].astype(np.float32)


def graft(mouth: Image, host: Image, random: np.random.Generator) -> Image:
    """Graft the mouth of one wide crop into the face of another by Poisson blending.

    Mouths with and without a tongue are grafted, so that neither a photographed face nor a seam reveals the label. The
    mouth is slightly stretched and rotated, since real mouths vary more than the body model and the few photographed
    tongues.
    """
    half_width, half_height = EYE * random.uniform(0.8, 1.15, 2) * (0.58, 0.66)
    x, y = WIDE_SIZE / 2 + random.normal(0, 2, 2) + (0, 2)
    offsets = np.arange(WIDE_SIZE)
    inside = ((offsets - x) / half_width) ** 2 + ((offsets - y)[:, None] / half_height) ** 2 < 1
    mask = inside.astype(np.uint8) * 255
    left, top, width, height = cv2.boundingRect(mask)
    middle = (left + width // 2, top + height // 2)
    return np.asarray(cv2.seamlessClone(_stretched(mouth, random), host, mask, middle, cv2.NORMAL_CLONE), np.uint8)


def paste_tongue(mouth: Image, cover: npt.NDArray[np.uint8], host: Image, random: np.random.Generator) -> Image:
    """Paste only the tongue of one wide crop into the face of another, below its lips.

    The tongue is scaled and rotated, and its colour is shifted towards that of the lips.

    Args:
        mouth: wide crop that shows the tongue.
        cover: coverage of each pixel by the tongue, 0 to 255.
        host: wide crop of a face with the tongue in.
        random: random generator.
    """
    rows, columns = np.nonzero(cover > 127)
    root = np.array([columns[rows <= np.quantile(rows, 0.1) + 1].mean(), rows.min()])
    turn = rotation(random.normal(0, 0.2))
    across, down = np.exp(random.normal(0, 0.15)), np.exp(random.uniform(np.log(0.4), np.log(1.1)))
    lips = LIPS + random.normal(0, 3, 2)
    matrix = leading(turn * (across, down), root, lips)
    tongue = moved_by(matrix, mouth, WIDE_SIZE)
    hard = cv2.warpAffine(cover, matrix, (WIDE_SIZE, WIDE_SIZE)).astype(np.float32) / 255
    share = feathered(hard, random.uniform(0.5, 1.1))
    x, y = lips.astype(int)
    around = host[y - 1 : y + 6, x - 8 : x + 9].reshape(-1, 3).mean(0) + 4
    mean = (tongue * share).sum((0, 1)) / (share.sum() + 1e-6) + 4
    tongue *= (around / mean) ** random.uniform(0.2, 1.0) * np.exp(random.normal(0, 0.1) + random.normal(0, 0.05, 3))
    shadow = feathered(np.roll(share[..., 0], 2, 0), 2.0) * random.uniform(0, 0.5)
    return as_bytes(pasted(tongue, share, host, shadow))


def _stretched(mouth: Image, random: np.random.Generator) -> Image:
    """Stretch a wide crop along both axes and rotate it around its middle."""
    turn = rotation(-random.normal(0, 0.1))
    wider, higher = np.exp(random.normal(0, 0.12, 2))
    middle = np.full(2, (WIDE_SIZE - 1) / 2)
    matrix = leading(turn * [[wider], [higher]], middle, middle)
    return np.asarray(moved_by(matrix, mouth, WIDE_SIZE), np.uint8)


class HeldObject(Enum):
    """Kind of held object: its frequency, and its smallest and largest width in eye distances."""

    FINGERS = (0.45, (0.16, 0.3))
    STRAW = (0.25, (0.04, 0.12))
    SPOON = (0.15, (0.12, 0.35))
    FOOD = (0.15, (0.3, 0.7))


@dataclass(frozen=True, slots=True)
class Rod:
    """Straight rod with round ends: a finger, a straw, a spoon, or food.

    Attributes:
        start: end at the mouth, pixels of a wide crop.
        towards: direction from there, radians; 0 straight down, positive to the image's right.
        width: width in pixels.
        length: length in pixels.
    """

    start: Vector
    towards: float
    width: float
    length: float

    def measured(self) -> tuple[Share, Share, Share]:
        """Return maps of the position along the rod (pixels), the distance (1 at the rim) and the offset (widths)."""
        beside = np.stack([_COLUMNS - self.start[0], _ROWS - self.start[1]], 2)
        along = _direction(self.towards)
        far = np.clip(beside @ along, 0, self.length)[..., None]
        off = np.linalg.norm(beside - far * along, axis=2, keepdims=True) / (self.width / 2)
        across = (beside @ np.array([along[1], -along[0]]))[..., None] / self.width
        return far, off, across


def add_held_object(face: Image, other: Image, random: np.random.Generator, *, aside: bool) -> Image:
    """Paste fingers, a straw, a spoon or food before a face, from below or a side, with an end near the lips.

    Args:
        face: wide crop of the face.
        other: another wide crop; a piece of it may be the texture of the object.
        random: random generator.
        aside: True if the object ends beside the mouth, so that a tongue remains visible.
    """
    kinds = list(HeldObject)
    kind = kinds[int(random.choice(len(kinds), p=[kind.value[0] for kind in kinds]))]
    is_finger, is_food = kind is HeldObject.FINGERS, kind is HeldObject.FOOD
    count = int(random.integers(1, 5)) if is_finger else 1
    width = EYE * {kind: random.uniform(*kind.value[1]) for kind in kinds}[kind]
    towards = random.uniform(-2.0, 2.0)
    end = _end(towards, random, aside=aside)
    length = EYE * (random.uniform(0.3, 0.8) if is_food else 3.0)
    looks = random.random()  # some fingers wear gloves or paint
    colour = _skin(face, random) if is_finger and looks < 0.8 else _any_colour(random)
    pattern = other if looks > (0.4 if is_food else 0.85) else None
    scene = face.astype(np.float32)
    if is_finger and random.random() < 0.3:
        scene = _with_palm(scene, end + _direction(towards) * EYE * random.uniform(0.7, 1.0), width, colour, random)
    spread = random.normal(0, 0.12)
    for number in range(count):
        rod = _in_row(Rod(end, towards, width, length), number - (count - 1) / 2, spread, random, of=count)
        scene = _with_rod(rod, scene, colour, pattern, random, is_finger=is_finger)
    return as_bytes(scene)


def _direction(towards: float) -> Vector:
    return np.array([np.sin(towards), np.cos(towards)])


def _end(towards: float, random: np.random.Generator, *, aside: bool) -> Vector:
    """Draw the end of an object that comes from a direction: at the lips, or beside them on that side."""
    end = LIPS + random.normal(0, 0.14 * EYE, 2)
    if aside:
        side = np.sign(np.sin(towards)) or 1.0
        end = LIPS + np.array([side * random.uniform(0.45, 0.8) * EYE, random.normal(0, 0.3 * EYE)])
    return np.asarray(end, np.float64)


def _skin(face: Image, random: np.random.Generator) -> Vector:
    """Draw a skin colour near that of a cheek or above the upper lip, blue-green-red."""
    x = int(WIDE_SIZE / 2 + random.choice((-0.5, 0.5, 0.0)) * EYE)
    y = int(WIDE_SIZE / 2 - random.uniform(0.5, 0.7) * EYE)
    skin = face[y - 4 : y + 5, x - 5 : x + 6].reshape(-1, 3).mean(0)
    return np.asarray(skin * np.exp(random.normal(0, 0.12) + random.normal(0, 0.04, 3)), np.float64)


def _any_colour(random: np.random.Generator) -> Vector:
    return np.exp(random.uniform(np.log(15), np.log(255), 3) + random.normal(0, 0.1))


def _with_palm(scene: Scene, middle: Vector, finger: float, colour: Vector, random: np.random.Generator) -> Scene:
    """Paste a round palm or fist behind fingers of the given width."""
    width = finger * random.uniform(3, 4.5)
    off = np.hypot(_COLUMNS - middle[0], _ROWS - middle[1])[..., None] / (width / 2)
    light = 0.85 + 0.2 * _bulge(off) + random.normal(0, 0.05)
    return pasted(np.clip(colour * light, 0, 255), np.clip((1 - off) * 6, 0, 1), scene).astype(np.float32)


def _bulge(off: Share) -> Share:
    """Return the height of a round cross-section at distances from its middle, 1 at its rim."""
    return np.sqrt(np.clip(1 - off**2, 0, 1))


def _in_row(rod: Rod, place: float, spread: float, random: np.random.Generator, *, of: int) -> Rod:
    """Return a rod of a row of `of` rods with uneven ends, at a place relative to the middle of the row."""
    towards = rod.towards + place * spread
    along = _direction(rod.towards)
    start = rod.start + np.array([along[1], -along[0]]) * place * rod.width * random.uniform(0.95, 1.1)
    uneven = random.uniform(-0.12, 0.12) * EYE * (of > 1)
    return replace(rod, start=start + _direction(towards) * uneven, towards=towards)


def _with_rod(  # noqa: PLR0913 - an object, its place, its looks
    rod: Rod, scene: Scene, colour: Vector, pattern: Image | None, random: np.random.Generator, *, is_finger: bool
) -> Scene:
    """Paste a rod over a scene, with the shading of a cylinder and a shadow around it."""
    far, off, across = rod.measured()
    share = np.clip((1 - off) * rod.width / 2 / random.uniform(0.6, 1.6) + 0.5, 0, 1)
    shade = 0.7 + 0.35 * _bulge(off) + random.normal(0, 0.25) * across
    surface: npt.NDArray[np.float64] = np.broadcast_to(colour, scene.shape)
    if pattern is not None:
        surface = np.roll(pattern, tuple(map(int, random.integers(0, WIDE_SIZE, 2))), (0, 1)).astype(np.float64)
    if is_finger:
        for crease in (0.45, 0.85):
            shade = shade * (1 - 0.15 * np.exp(-(((far - crease * EYE * random.uniform(0.8, 1.2)) / 1.2) ** 2)))
        if random.random() < 0.5:  # every other finger shows its nail
            nail = np.clip(1.2 - np.hypot((far / rod.width - 0.3) / 0.55, off / 0.7), 0, 1) ** 0.5
            surface = surface + nail * random.uniform(-10, 40)
    shadow = feathered(share[..., 0], 2.5) * random.uniform(0, 0.45)
    return pasted(np.clip(surface * shade, 0, 255), share, scene, shadow * (1 - share)).astype(np.float32)
