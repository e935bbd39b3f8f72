"""Wide cuts as net inputs: as other cameras, distances, lights, face detectors and people would have shown them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.vision.tongue.mouth_crop import SIDE, SIZE
from training.augmentation import POOR_CAMERA, sometimes
from training.geometry import leading, rotation
from training.tongue.mouth_crops import EYE, WIDE, WIDE_SIZE

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

    Vector = npt.NDArray[np.float64]

NEAREST_PX, FARTHEST_PX = 110.0, 16.0
"""Eye distances that are met at a table, in pixels."""


def vary(scene: Image, random: np.random.Generator, *, by_camera: bool = False) -> Image:
    """Make one net input of a wide cut.

    Args:
        scene: the wide cut.
        random: random generator.
        by_camera: whether it is as hard as a poor camera makes it already; half of these are spoilt no more.

    Returns:
        Bytes of shape (SIZE, SIZE, 3).
    """
    if not by_camera or random.random() < 0.5:
        scene = _spoilt(scene, random)
    seen = _shaken(scene, random)
    return np.asarray(seen[:, ::-1], np.uint8) if random.random() < 0.5 else seen


def _spoilt(scene: Image, random: np.random.Generator) -> Image:
    """Show a wide cut from farther away, in another light, by another camera."""
    scene = sometimes(0.25, _cut_off_below)(scene, random)
    eye_distance = float(np.exp(random.uniform(np.log(FARTHEST_PX), np.log(NEAREST_PX))))
    return POOR_CAMERA(at_distance(scene, eye_distance), random)


def _cut_off_below(scene: Image, random: np.random.Generator) -> Image:
    """Cut the image off below the chin and repeat its last row, as at an image's border."""
    cut = scene.copy()
    last = int(EYE * random.uniform(1.75, 2.3))
    cut[last:] = cut[last]
    return cut


def at_distance(cut: Image, eye_distance: float) -> Image:
    """Return a wide cut at so many pixels between the eyes; never more than the cut has."""
    side = round(min(1.0, eye_distance / EYE) * WIDE_SIZE)
    return np.asarray(cv2.resize(cut, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def _shaken(scene: Image, random: np.random.Generator) -> Image:
    """Return the net's input of a wide cut by wrong landmarks, as wrong as they often are."""
    shift = random.normal(0, 0.05, 2)
    turn, scale, shear = random.normal(0, 0.10), float(np.exp(random.normal(0, 0.08))), random.normal(0, 0.06)
    return window(scene, shift, turn, scale, shear)


def window(scene: Image, shift: Vector, turn: float = 0.0, scale: float = 1.0, shear: float = 0.0) -> Image:
    """Return the net's input of a wide cut of any size: its middle, SIDE eye distances wide, brought to SIZE pixels.

    Args:
        scene: the wide cut.
        shift: shift of the middle, x and y in eye distances.
        turn: turn of the window, radians.
        scale: factor of its size.
        shear: shift of x for y.
    """
    side = len(scene)
    zoom = SIZE / (side * SIDE / WIDE * scale)
    linear = zoom * (rotation(-turn) + np.array([[0, shear], [0, 0]]))
    middle = (side - 1) / 2 + shift * side / WIDE
    matrix = leading(linear, middle, np.full(2, (SIZE - 1) / 2))
    cut = cv2.warpAffine(scene, matrix, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)
