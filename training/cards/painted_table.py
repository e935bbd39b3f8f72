"""Table painted flat, in millimetres: rectangles with their shadows, and fingers."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from training.cards.surfaces import cloth_texture

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from training.cards.conditions import Cloth

_CORNER_MM: Final = 3.0


class PaintedTable:
    """Table seen from above, painted flat.

    Attributes:
        scale: pixels of the paint for one millimetre.
        paint: shape (height, width, 3), blue-green-red.
    """

    def __init__(self, size: tuple[float, float], scale: float, cloth: Cloth, rng: np.random.Generator) -> None:
        self.scale = scale
        shape = round(size[1] * scale), round(size[0] * scale)
        self.paint = cloth_texture(cloth, shape, scale, rng)

    def lay(  # noqa: PLR0913 - where, how large, how turned, and how it lies
        self,
        image: Image,
        centre: tuple[float, float],
        size: tuple[float, float],
        turn: float,
        *,
        shadow: float = 0.35,
        corner: float = _CORNER_MM,
        bulge: tuple[float, float] = (0.0, 0.0),
    ) -> npt.NDArray[np.float32]:
        """Lay a rectangle and its shadow; return its corners in millimetres, from its own top left."""
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
        shaded = part * (1 - shadow * dark[..., None])
        part[:] = shaded * (1 - alpha) + laid * alpha
        return corners

    def draw(self, points: npt.NDArray[np.float32], colour: tuple[float, float, float], width: float) -> None:
        """Draw a finger: a thick stroke with round ends through points in millimetres."""
        pixels = np.rint(points * self.scale).astype(np.int32)
        mask = np.zeros(self.paint.shape[:2], np.uint8)
        cv2.polylines(mask, [pixels], isClosed=False, color=255, thickness=max(1, round(width * self.scale)))
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, self.scale)).astype(np.float32)[..., None] / 255
        light = cv2.distanceTransform(mask, cv2.DIST_L2, 3)[..., None]
        shade = 0.7 + 0.3 * np.clip(light / max(1.0, width * self.scale / 2), 0, 1)
        self.paint[:] = self.paint * (1 - soft) + np.asarray(colour, np.float32) * shade * soft


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
    """A card bent around its length: the middle stands higher, is seen farther up and shaded along."""
    height, width = texture.shape[:2]
    rise = np.sin(np.linspace(0, math.pi, width, dtype=np.float32))[None, :]
    across, down = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    lower = (down + np.float32(shift) * rise).astype(np.float32)
    lit = 1 + 0.12 * share * np.cos(np.linspace(0, math.pi, width, dtype=np.float32))[None, :, None]
    bent = cv2.remap(texture, across, lower, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    masked = cv2.remap(mask, across, lower, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.clip(bent * lit, 0, 255).astype(np.uint8), masked.astype(np.uint8)


def turned(centre: tuple[float, float], size: tuple[float, float], turn: float) -> npt.NDArray[np.float32]:
    """Corners of a rectangle turned around its middle by degrees, clockwise from its own top left."""
    width, height = size
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    angle = math.radians(turn)
    rotation = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return (corners @ rotation.T + centre).astype(np.float32)
