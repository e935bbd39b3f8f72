"""Tiles that cover an image, and face detection inside one tile."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np

from bunnymoose_cv.vision.detections import FoundFace
from bunnymoose_cv.vision.geometry import Box, Crop
from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers


DETECTOR_SIZE = 192
"""Pixels at which the face detector looks."""

TILE_SIZE = 2 * DETECTOR_SIZE
"""Pixels that a tile is brought to: shrinking the last half is the detector's own, smoother work."""


Tile: TypeAlias = tuple[tuple[float, float], float]
"""Centre and side of a square of the image, pixels."""


def cover_with_tiles(width: int, height: int) -> list[Tile]:
    """Centres and sides of overlapping squares: wide margins (for a face that fills the picture) down to quarters."""
    longer, shorter = max(width, height), min(width, height)
    smallest = max(float(shorter), longer / 20)  # bounds the tiles of a very narrow image
    sides = sorted({2.5 * longer, 1.6 * longer, float(longer), smallest, longer / 2, longer / 4}, reverse=True)
    return [((x, y), side) for side in sides for x in _steps(width, side) for y in _steps(height, side)]


TILE_STEP = 0.6
"""Of a tile's side: neighbours overlap by the rest, so that a face of two fifths of a tile stands whole in one."""


def _steps(length: float, side: float) -> list[float]:
    """Centres of tiles along one edge of the picture."""
    if side >= length:
        return [length / 2]
    count = int(np.ceil((length - side) / (TILE_STEP * side))) + 1
    return [float(centre) for centre in np.linspace(side / 2, length - side / 2, count)]


def detect_in_tile(
    landmarkers: Landmarkers,
    picture: Picture,
    tile: Tile,
    size: int = TILE_SIZE,
    smoothed: float = 0.0,
) -> list[FoundFace]:
    """Faces that MediaPipe's detector finds in one tile, in pixels of the whole image."""
    centre, side = tile
    crop = Crop.cut(picture, centre, side, size)
    return [
        FoundFace(
            Box(
                face.box.x / crop.scale + crop.origin[0],
                face.box.y / crop.scale + crop.origin[1],
                face.box.width / crop.scale,
                face.box.height / crop.scale,
            ),
            face.confidence,
        )
        for face in landmarkers.find_faces(smooth(crop.picture, smoothed))
    ]


def smooth(picture: Picture, share: float) -> Picture:
    """A square picture whose pixels run into each other by a share of its side."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), share * len(picture)), np.uint8) if share else picture


def same_box(one: Box, other: Box) -> bool:
    """Tell if two boxes show one thing, at one size."""
    sizes = sorted(max(box.width, box.height) for box in (one, other))
    return one.overlap(other) > FACES.same_overlap and sizes[1] < FACES.same_size * sizes[0]
