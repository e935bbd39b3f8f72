"""Table of cards painted flat, in millimetres: cloths, things with their shadows, fingers, and the row of places."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM
from training.augmentation import pasted
from training.evaluate.cards.conditions import Cloth
from training.geometry import rotation

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.mat import Mat
    from training.evaluate.cards.conditions import Conditions

Corners: TypeAlias = npt.NDArray[np.float32]
"""Corners of a rectangle from its own top left, shape (4, 2)."""

Vector: TypeAlias = npt.NDArray[np.floating]
"""A point, shape (2,)."""

BORDER_MM: Final = 55.0
"""Width of the table's border around the mat or the outermost piles."""

_WITHOUT_MAT_MM: Final = 300.0
"""Height of a table without a mat."""

_CORNER_MM: Final = 3.0


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A place on the table, with its middle in millimetres and its turn in degrees."""

    middle: Vector
    turn: float

    @property
    def corners(self) -> Corners:
        """Corners of a card placed straight on it, millimetres."""
        return turned(self.middle, CARD_SIZE_MM, self.turn)


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """The row of places on a table, and the table's size in millimetres."""

    spots: tuple[TablePlace, ...]
    size: tuple[float, float]


def row_of(mat: Mat) -> PlaceRow:
    """Return the places of a mat."""
    spots = tuple(
        TablePlace(np.array([place.x, place.y]) + np.array(CARD_SIZE_MM) / 2 + BORDER_MM, 0) for place in mat.places
    )
    return PlaceRow(spots, (mat.size[0] + 2 * BORDER_MM, mat.size[1] + 2 * BORDER_MM))


def row_without_mat(conditions: Conditions, rng: np.random.Generator) -> PlaceRow:
    """Draw piles as people place them, in a bent row with uneven gaps."""
    pitch = CARD_SIZE_MM[0] + conditions.gap_mm
    width = conditions.piles * pitch + 2 * BORDER_MM
    across = BORDER_MM + pitch * (np.arange(conditions.piles) + 0.5)
    across = across + rng.uniform(-0.15, 0.15, conditions.piles) * conditions.gap_mm
    share = 2 * across / width - 1
    down = _WITHOUT_MAT_MM / 2 + conditions.row_bend_mm * (1 - share**2)
    slope = np.degrees(np.arctan(-4 * conditions.row_bend_mm * share / width))
    spots = (TablePlace(spot, float(turn)) for spot, turn in zip(np.column_stack([across, down]), slope, strict=True))
    return PlaceRow(tuple(spots), (width, _WITHOUT_MAT_MM))


class PaintedTable:
    """Table seen from above, painted flat.

    Attributes:
        scale: pixels of the paint per millimetre.
        paint: shape (height, width, 3), blue-green-red.
    """

    def __init__(self, size: tuple[float, float], scale: float, cloth: Cloth, rng: np.random.Generator) -> None:
        self.scale = scale
        shape = round(size[1] * scale), round(size[0] * scale)
        self.paint = _cloth_texture(cloth, shape, scale, rng)

    def lay(  # noqa: PLR0913 - where, how large, how turned, and how it lies
        self,
        image: Image,
        centre: Vector,
        size: tuple[float, float],
        turn: float,
        *,
        shadow: float = 0.35,
        corner: float = _CORNER_MM,
        bulge: tuple[float, float] = (0.0, 0.0),
    ) -> Corners:
        """Paint a rectangle and its shadow. Return its corners in millimetres, beginning with its own top left."""
        width, height = size
        pixels = max(1, round(width * self.scale)), max(1, round(height * self.scale))
        texture = np.asarray(cv2.resize(image, pixels, interpolation=cv2.INTER_AREA), np.uint8)
        mask = _rounded(pixels, corner * self.scale)
        if bulge[1]:
            texture, mask = _bent(texture, mask, bulge[0] * self.scale, bulge[1])
        corners = turned(centre, size, turn)
        own = np.array([[0, 0], [pixels[0], 0], [pixels[0], pixels[1]]], np.float32)
        left, top = np.floor(corners.min(0) * self.scale - 0.12 * min(pixels) - 3).astype(int)
        right, bottom = np.ceil(corners.max(0) * self.scale + 0.12 * min(pixels) + 3).astype(int)
        left, top = max(0, left), max(0, top)
        part = self.paint[top : min(bottom, len(self.paint)), left : min(right, self.paint.shape[1])]
        if not part.size:
            return corners
        onto = cv2.getAffineTransform(own, (corners[:3] * self.scale - (left, top)).astype(np.float32))
        area = part.shape[1], part.shape[0]
        laid = cv2.warpAffine(texture, onto, area, flags=cv2.INTER_LINEAR)
        alpha = cv2.warpAffine(mask, onto, area, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None] / 255
        softness = max(1.0, 1.2 * self.scale)
        beside = np.roll(alpha[..., 0], (round(softness), round(softness)), (0, 1))
        dark = np.asarray(cv2.GaussianBlur(beside, (0, 0), softness), np.float32)
        part[:] = pasted(laid, alpha, part, shadow * dark[..., None])
        return corners

    def draw(self, points: npt.NDArray[np.float32], colour: tuple[float, float, float], width: float) -> None:
        """Draw a finger: a thick stroke with round ends through points in millimetres."""
        pixels = np.rint(points * self.scale).astype(np.int32)
        mask = np.zeros(self.paint.shape[:2], np.uint8)
        cv2.polylines(mask, [pixels], isClosed=False, color=255, thickness=max(1, round(width * self.scale)))
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, self.scale)).astype(np.float32)[..., None] / 255
        light = cv2.distanceTransform(mask, cv2.DIST_L2, 3)[..., None]
        shade = 0.7 + 0.3 * np.clip(light / max(1.0, width * self.scale / 2), 0, 1)
        self.paint[:] = pasted(np.asarray(colour, np.float32) * shade, soft, self.paint)


@cache
def _rounded(size: tuple[int, int], radius: float) -> npt.NDArray[np.uint8]:
    mask = np.zeros((size[1], size[0]), np.uint8)
    round_px = max(1, round(radius))
    inner = (round_px, round_px), (size[0] - 1 - round_px, size[1] - 1 - round_px)
    cv2.rectangle(mask, *inner, 255, -1)
    cv2.rectangle(mask, *inner, 255, 2 * round_px)
    return mask


def _bent(
    texture: Image, mask: npt.NDArray[np.uint8], shift: float, share: float
) -> tuple[Image, npt.NDArray[np.uint8]]:
    """Bend a card around its length: its middle is higher, appears farther up and is shaded lengthwise."""
    height, width = texture.shape[:2]
    rise = np.sin(np.linspace(0, math.pi, width, dtype=np.float32))[None, :]
    across, down = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    lower = (down + np.float32(shift) * rise).astype(np.float32)
    lit = 1 + 0.12 * share * np.cos(np.linspace(0, math.pi, width, dtype=np.float32))[None, :, None]
    bent = cv2.remap(texture, across, lower, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    masked = cv2.remap(mask, across, lower, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.clip(bent * lit, 0, 255).astype(np.uint8), masked.astype(np.uint8)


def turned(centre: Vector, size: tuple[float, float], turn: float) -> Corners:
    """Return the corners of a rectangle turned around its middle by degrees, clockwise."""
    width, height = size
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    return (corners @ rotation(math.radians(turn)).T + centre).astype(np.float32)


def _cloth_texture(
    cloth: Cloth, shape: tuple[int, int], scale: float, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """Draw a table's surface, shape (height, width, 3), blue-green-red; `scale` is in pixels per millimetre."""
    if cloth is Cloth.CHECKED:
        return _checked(shape, scale, rng)
    if cloth is Cloth.WOOD:
        return _wood(shape, scale, rng)
    base = {
        Cloth.DARK: rng.uniform(25, 65, 3),
        Cloth.WHITE: rng.uniform(205, 240) + rng.uniform(-6, 6, 3),
        Cloth.GLASS: np.array([120, 110, 90]) * rng.uniform(0.6, 1.3),
    }[cloth]
    grain = _noise(shape, 1.2 * scale, rng) * (9 if cloth is Cloth.GLASS else 5)
    if cloth is Cloth.GLASS:
        grain = grain + _noise(shape, 40 * scale, rng) * 35
    return (base.astype(np.float32) + grain[..., None]).astype(np.float32)


def _noise(shape: tuple[int, int], size: float, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Draw smooth noise of unit deviation with blobs of a size in pixels."""
    small = (max(2, int(shape[0] / size)), max(2, int(shape[1] / size)))
    coarse = rng.standard_normal(small, np.float32)
    return cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR).astype(np.float32)


def _wood(shape: tuple[int, int], scale: float, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Draw boards with lengthwise grain."""
    grain = np.zeros(shape, np.float32)
    for width, strength in ((1.5, 8.0), (5.0, 12.0), (18.0, 14.0)):
        rows = max(2, int(shape[0] / (width * scale)))
        coarse = rng.standard_normal((rows, max(2, rows // 12)), np.float32) * strength
        grain += cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    board = np.arange(shape[0]) % max(4, round(95 * scale)) < max(1, scale * 1.5)
    grain[board] -= 45
    base = np.array([70, 115, 160], np.float32) * np.float32(rng.uniform(0.6, 1.25))
    return (base + grain[..., None] * np.array([0.8, 1, 1.1], np.float32)).astype(np.float32)


def _checked(shape: tuple[int, int], scale: float, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Draw a checked table cloth: two colours that mix where stripes cross."""
    side = max(2, round(float(rng.uniform(15, 40)) * scale))
    down = (np.arange(shape[0]) // side) % 2
    across = (np.arange(shape[1]) // side) % 2
    mix = (down[:, None] + across[None, :]).astype(np.float32)[..., None] / 2
    colour = rng.uniform(30, 200, 3).astype(np.float32)
    painted = 235 * (1 - mix) + colour * mix + _noise(shape, 1.2 * scale, rng)[..., None] * 4
    return painted.astype(np.float32)


def foreign_card(rng: np.random.Generator) -> Image:
    """Draw a card of another game: coloured ground, a frame, discs and strokes."""
    card = np.full((352, 252, 3), rng.integers(60, 250, 3), np.uint8)
    cv2.rectangle(card, (14, 14), (238, 338), rng.integers(0, 255, 3).tolist(), int(rng.integers(2, 14)))
    for _ in range(int(rng.integers(2, 7))):
        centre = (int(rng.integers(40, 212)), int(rng.integers(40, 312)))
        cv2.circle(card, centre, int(rng.integers(10, 60)), rng.integers(0, 255, 3).tolist(), -1)
        other = (int(rng.integers(20, 232)), int(rng.integers(20, 332)))
        cv2.line(card, centre, other, rng.integers(0, 255, 3).tolist(), int(rng.integers(3, 12)))
    word = "".join(chr(65 + int(letter)) for letter in rng.integers(0, 26, 5))
    cv2.putText(card, word, (40, int(rng.integers(60, 300))), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (20, 20, 20), 4)
    return card


def paper_sheet(rng: np.random.Generator) -> Image:
    """Draw the sheet with the poem: lines of words on paper."""
    sheet = np.full((444, 315, 3), 245, np.uint8)
    for line in range(8):
        words = " ".join("".join(chr(97 + int(c)) for c in rng.integers(0, 26, rng.integers(2, 7))) for _ in range(4))
        cv2.putText(sheet, words, (20, 60 + line * 46), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 40, 40), 2)
    return sheet


def phone(rng: np.random.Generator) -> Image:
    """Draw a phone."""
    body = np.full((300, 144, 3), rng.integers(10, 45), np.uint8)
    cv2.rectangle(body, (8, 12), (136, 288), rng.integers(5, 90, 3).tolist(), -1)
    return body


def hand_colour(rng: np.random.Generator) -> tuple[float, float, float]:
    """Draw a skin colour between dark and light, blue-green-red."""
    share = rng.uniform(0, 1)
    dark, light = np.array([45, 65, 95.0]), np.array([170, 195, 235.0])
    colour = dark + (light - dark) * share
    return float(colour[0]), float(colour[1]), float(colour[2])
