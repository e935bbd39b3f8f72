"""A rendered photograph of cards on a table, with the truth about every place. Equal seeds give equal images.

The table is painted flat, in millimetres, lit by a lamp, then seen through a tilted camera, blurred, exposed and
compressed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, mat_of
from training.augmentation import as_bytes, through_jpeg
from training.evaluate.cards.conditions import Cover, Glare, sample
from training.evaluate.cards.laid_cards import CardLayer, lay_mat
from training.evaluate.cards.table import PaintedTable, row_of, row_without_mat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image
    from training.evaluate.cards.conditions import Conditions, Group
    from training.evaluate.cards.laid_cards import Face, Laid
    from training.evaluate.cards.table import Corners

Light: TypeAlias = npt.NDArray[np.float32]

COVERED: Final = "covered"
"""Truth of a place whose card is under fingers."""

_LONGEST_PX: Final = 2048

_SUPERSAMPLING: Final = 1.15
"""Pixels of the painted table for each pixel of the image, if seen straight from above."""


@dataclass(frozen=True, slots=True, eq=False)
class TruePlace:
    """A place: its truth, and the corners of its top card in the image, beginning with the face's top left."""

    shows: str
    corners_px: Corners


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A rendered photograph with its truth.

    Attributes:
        places: places in the order of their numbers.
        foreign_px: corners of other rectangles of a card's size or larger, shape (n, 4, 2).
    """

    image: Image
    conditions: Conditions
    places: tuple[TruePlace, ...]
    foreign_px: npt.NDArray[np.float32]


def render(group: Group, seed: int, faces: Sequence[Face]) -> Scene:
    """Render the photograph of a group and a seed."""
    rng = np.random.default_rng((list(type(group)).index(group), seed))
    conditions = sample(group, rng)
    mat = mat_of(conditions.piles) if conditions.mat else None
    row = row_without_mat(conditions, rng) if mat is None else row_of(mat)
    table = PaintedTable(row.size, conditions.height_px / CARD_SIZE_MM[1] * _SUPERSAMPLING, conditions.cloth, rng)
    if mat is not None:
        lay_mat(table, mat)
    layer = CardLayer(table, conditions, faces, rng)
    foreign = layer.lay_beside(row.size)
    return _photograph(layer, layer.lay(row), foreign)


def _photograph(layer: CardLayer, laid: Laid, foreign: list[Corners]) -> Scene:
    """Photograph the table, and compute the corners of its places in the image."""
    table, conditions, rng = layer.table, layer.conditions, layer.rng
    light = _lit(table, conditions, laid, rng)
    seen, size = _camera(table, conditions, rng)
    sharp = np.asarray(cv2.warpPerspective(light, seen, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
    image = _developed(_blurred(sharp, conditions, rng), conditions, rng)

    def projected(corners: Corners) -> Corners:
        points = (corners * table.scale).reshape(-1, 1, 2).astype(np.float32)
        return np.asarray(cv2.perspectiveTransform(points, seen), np.float32).reshape(-1, 2)

    truth = tuple(
        TruePlace(COVERED if hidden and conditions.cover is Cover.FINGERS else shows, projected(corners))
        for shows, corners, hidden in laid.places
    )
    others = np.array([projected(corners) for corners in foreign + laid.over], np.float32).reshape(-1, 4, 2)
    return Scene(image, conditions, truth, others)


def _lit(table: PaintedTable, conditions: Conditions, laid: Laid, rng: np.random.Generator) -> Light:
    """Light the table by a lamp to one side, with its reflection."""
    height, width = table.paint.shape[:2]
    across, down = np.meshgrid(np.linspace(-1, 1, 64, dtype=np.float32), np.linspace(-1, 1, 32, dtype=np.float32))
    slope = rng.uniform(-0.2, 0.2, 2)
    light = 1 + slope[0] * across + slope[1] * down
    shine = np.zeros_like(light)
    x, y = rng.uniform(-0.75, 0.75), rng.uniform(-0.25, 0.25)
    if conditions.glare is Glare.DIGIT:
        corners = laid.places[int(rng.integers(len(laid.places)))][1]
        across_card, down_card = rng.choice([0.25, 0.75]), 0.8
        digit = corners[0] + (corners[1] - corners[0]) * across_card + (corners[3] - corners[0]) * down_card
        x, y = (2 * digit * table.scale / (width, height) - 1).tolist()
    if conditions.glare in (Glare.BLOB, Glare.DIGIT):
        shine = 200 * np.exp(-(((across - x) / 0.07) ** 2) - ((down - y) / 0.13) ** 2)
    elif conditions.glare is Glare.STRIPE:
        shine = 130 * np.exp(-(((across - x - 0.4 * down) / 0.05) ** 2))
    if conditions.sleeves:
        shine = shine + 18 * np.exp(-(((across - y) / 0.5) ** 2))
    size = (width, height)
    lit = table.paint * cv2.resize(light, size)[..., None]
    return np.asarray(lit + cv2.resize(shine.astype(np.float32), size)[..., None])


def _camera(
    table: PaintedTable, conditions: Conditions, rng: np.random.Generator
) -> tuple[npt.NDArray[np.float64], tuple[int, int]]:
    """Return the homography from the painted table to the image, and the image's size."""
    height, width = table.paint.shape[:2]
    distance = 1.6 * width
    yaw, tilt, roll = (math.radians(angle) for angle in (conditions.yaw_deg, conditions.tilt_deg, rng.normal(0, 2)))
    turn = _rotation(2, roll) @ _rotation(0, tilt) @ _rotation(2, yaw)
    to_middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    plane = np.column_stack([turn[:, 0], turn[:, 1], (0, 0, distance)])
    lens = np.diag([distance / _SUPERSAMPLING, distance / _SUPERSAMPLING, 1])
    seen = lens @ plane @ to_middle
    edge = table.scale * 22
    corners = np.array([[edge, edge], [width - edge, edge], [width - edge, height - edge], [edge, height - edge]])
    projected = cv2.perspectiveTransform(corners.reshape(-1, 1, 2).astype(np.float32), seen).reshape(-1, 2)
    low, high = projected.min(0), projected.max(0)
    shrink = min(1.0, _LONGEST_PX / float((high - low).max()))
    move = np.array([[shrink, 0, -low[0] * shrink], [0, shrink, -low[1] * shrink], [0, 0, 1]])
    size = (high - low) * shrink
    return move @ seen, (round(float(size[0])), round(float(size[1])))


def _rotation(axis: int, angle: float) -> npt.NDArray[np.float64]:
    return np.asarray(cv2.Rodrigues(np.eye(3)[axis] * angle)[0], np.float64)


def _blurred(image: Light, conditions: Conditions, rng: np.random.Generator) -> Light:
    """Blur by defocus and motion."""
    if conditions.defocus_px > 0.2:
        image = cv2.GaussianBlur(image, (0, 0), conditions.defocus_px).astype(np.float32)
    if conditions.motion_px:
        length = conditions.motion_px
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D((length / 2 - 0.5, length / 2 - 0.5), float(rng.uniform(0, 180)), 1)
        kernel = cv2.warpAffine(kernel, turn, (length, length)).astype(np.float32)
        image = cv2.filter2D(image, -1, kernel / kernel.sum()).astype(np.float32)
    return image


def _developed(image: Light, conditions: Conditions, rng: np.random.Generator) -> Image:
    """Apply exposure, white balance, noise and compression."""
    red = math.sqrt(conditions.warmth)
    gains = np.array([1 / red, conditions.tint, red], np.float32) * np.float32(conditions.exposure)
    noise = rng.standard_normal(image.shape, np.float32) * np.float32(conditions.noise)
    return through_jpeg(as_bytes(image * gains + noise), conditions.jpeg)
