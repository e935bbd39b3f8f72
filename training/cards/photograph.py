"""Photograph of a painted table: lamp, tilted camera, blur, exposure and compression."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from training.cards.conditions import Glare

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from training.cards.conditions import Conditions
    from training.cards.laid_cards import Laid
    from training.cards.painted_table import PaintedTable

_LONGEST_PX: Final = 2048

SUPERSAMPLING: Final = 1.15
"""Pixels of the painted table for one of the image, straight from above."""


def lit(table: PaintedTable, conditions: Conditions, laid: Laid, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """The table under a lamp to one side, with its reflection."""
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
    return table.paint * cv2.resize(light, size)[..., None] + cv2.resize(shine.astype(np.float32), size)[..., None]


def camera(
    table: PaintedTable, conditions: Conditions, rng: np.random.Generator
) -> tuple[npt.NDArray[np.float64], tuple[int, int]]:
    """The homography from the painted table to the image, and the image's size."""
    height, width = table.paint.shape[:2]
    distance = 1.6 * width
    yaw, tilt, roll = (math.radians(angle) for angle in (conditions.yaw_deg, conditions.tilt_deg, rng.normal(0, 2)))
    turn = _rotation(2, roll) @ _rotation(0, tilt) @ _rotation(2, yaw)
    to_middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    plane = np.column_stack([turn[:, 0], turn[:, 1], (0, 0, distance)])
    lens = np.diag([distance / SUPERSAMPLING, distance / SUPERSAMPLING, 1])
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
    vector = np.zeros(3)
    vector[axis] = angle
    return np.asarray(cv2.Rodrigues(vector)[0], np.float64)


def blurred(
    image: npt.NDArray[np.float32], conditions: Conditions, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
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


def developed(image: npt.NDArray[np.float32], conditions: Conditions, rng: np.random.Generator) -> Image:
    """Exposure, white balance, noise and compression."""
    red = math.sqrt(conditions.warmth)
    gains = np.array([1 / red, conditions.tint, red], np.float32) * np.float32(conditions.exposure)
    noise = rng.standard_normal(image.shape, np.float32)
    exposed = np.clip(image * gains + noise * np.float32(conditions.noise), 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", exposed, [cv2.IMWRITE_JPEG_QUALITY, conditions.jpeg])
    decoded = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return np.asarray(decoded, np.uint8)
