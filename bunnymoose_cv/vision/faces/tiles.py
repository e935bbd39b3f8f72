"""Tiles that cover an image, and face detection inside one tile."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from bunnymoose_cv.vision.geometry import Crop
from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.detections import FaceDetection
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers


TILE_SIZE = 384
"""Pixels that a tile is brought to, twice the detector's: shrinking the last half is its own, smoother work."""


Tile: TypeAlias = tuple[tuple[float, float], float]
"""Centre and side of a square of the image, pixels."""


def cover_with_tiles(width: int, height: int) -> list[Tile]:
    """Centres and sides of overlapping squares: wide margins (for a face that fills the image) down to quarters."""
    longer, shorter = max(width, height), min(width, height)
    smallest = max(float(shorter), longer / 20)  # bounds the tiles of a very narrow image
    sides = sorted({2.5 * longer, 1.6 * longer, float(longer), smallest, longer / 2, longer / 4}, reverse=True)
    return [((x, y), side) for side in sides for x in _steps(width, side) for y in _steps(height, side)]


TILE_STEP = 0.6
"""Step between tiles as a share of their side: neighbours overlap by the rest.

A face of two fifths of a tile stands whole in one."""


def _steps(length: float, side: float) -> list[float]:
    """Centres of tiles along one edge of the image."""
    if side >= length:
        return [length / 2]
    count = int(np.ceil((length - side) / (TILE_STEP * side))) + 1
    return [float(centre) for centre in np.linspace(side / 2, length - side / 2, count)]


def detect_in_tile(landmarkers: Landmarkers, image: Image, tile: Tile) -> list[FaceDetection]:
    """Faces that MediaPipe's detector finds in one tile, in pixels of the whole image."""
    crop = Crop.cut(image, *tile, TILE_SIZE)
    found = landmarkers.find_faces(crop.image)
    return [replace(face, box=crop.box_to_whole(face.box)) for face in found]


def same_box(one: Box, other: Box) -> bool:
    """Tell if two boxes show one thing, at one size."""
    sizes = sorted(max(box.width, box.height) for box in (one, other))
    return one.intersection_over_smaller(other) > FACES.same_overlap and sizes[1] < FACES.same_size * sizes[0]
