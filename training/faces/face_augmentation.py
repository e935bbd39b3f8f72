"""Augmentation of stored faces for the face network: crops with a face anywhere, close up, or without a face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.vision.faces.face_mesh import WINDOW
from bunnymoose_cv.vision.nets.face_nets import SIZE
from training.augmentation import PHOTOGRAPHED
from training.faces.faces import SIZE as STORED_SIZE
from training.geometry import leading, rotation

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from training.faces.faces import Faces

    Place = tuple[float, float, npt.NDArray[np.float64]]
    """Placement of a face in a crop: eye distance in pixels, rotation in radians, middle of the eyes in pixels."""

BATCH = 32
SMALLEST, LARGEST = 8.0, 44.0
"""Range of eye distances in pixels."""

OUTSIDE_SHARE = 0.12
"""Share of crops, apart from close ones, in which the face may be outside the crop."""

ELSEWHERE_SIZES = (12.0, 200.0)
"""Range of eye distances in pixels, of crops from anywhere in the image."""

CLOSE_SIZE = SIZE / WINDOW
"""Eye distance in pixels when `face_mesh.refine_face` looks closely at a face."""

PHOTOGRAPH_SHARE = 0.15
"""Share of crops from photographs."""


@dataclass(frozen=True, slots=True)
class CurriculumStage:
    """A stage of curriculum learning.

    Attributes:
        steps: number of batches.
        close: share of crops that show a face as in `face_mesh.refine_face`.
        elsewhere: share of crops from anywhere at any size, which mostly show hands, arms, clothes and rooms.
        rates: factor of the highest learning rates.
    """

    steps: int
    close: float
    elsewhere: float
    rates: float


def show(
    faces: Faces,
    images: list[Image],
    photographs: npt.NDArray[np.intp],
    stage: CurriculumStage,
    draw: np.random.Generator,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Draw a batch of augmented crops.

    Returns:
        The crops, and the eyes and axes of the face in each. Axes are NaN if unknown.
    """
    rows = draw.integers(len(faces), size=BATCH)
    if len(photographs):
        replaced = draw.random(BATCH) < PHOTOGRAPH_SHARE
        rows[replaced] = draw.choice(photographs, int(replaced.sum()))
    shown = []
    for row in rows:
        chance, eyes = draw.random(), faces.eyes[row]
        if chance < stage.close:
            place = _close(draw)
        elif chance < stage.close + stage.elsewhere:
            place = _elsewhere(eyes, draw)
        else:
            place = _anywhere(draw)
        shown.append(_shown(images[row], eyes, faces.axes[row], place, draw))
    cuts, eyes, axes = zip(*shown, strict=True)
    return np.stack(cuts), np.stack(eyes), np.stack(axes)


def _anywhere(draw: np.random.Generator) -> Place:
    room = 0.75 if draw.random() < OUTSIDE_SHARE else 0.5
    around = SIZE * room * (1.0 if draw.random() < 0.6 else 0.3)
    size = np.exp(draw.uniform(np.log(SMALLEST), np.log(LARGEST)))
    return float(size), draw.normal(0, 0.35), SIZE / 2 + around * draw.uniform(-1, 1, 2)


def _close(draw: np.random.Generator) -> Place:
    size = CLOSE_SIZE * np.exp(draw.normal(-0.1, 0.15))
    return float(size), draw.normal(0, 0.2), SIZE / 2 + 0.12 * SIZE * draw.uniform(-1, 1, 2)


def _elsewhere(eyes: npt.NDArray[np.float32], draw: np.random.Generator) -> Place:
    """Draw a placement that centres the crop on any point of the stored crop."""
    size = float(np.exp(draw.uniform(*np.log(ELSEWHERE_SIZES))))
    away = (eyes.mean(0) - draw.uniform(0.05, 0.95, 2) * STORED_SIZE) / np.linalg.norm(eyes[0] - eyes[1])
    return size, draw.normal(0, 0.35), SIZE / 2 + size * away


def _shown(
    image: Image,
    eyes: npt.NDArray[np.float32],
    axes: npt.NDArray[np.float32],
    place: Place,
    draw: np.random.Generator,
) -> tuple[Image, npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    size, turn, middle = place
    scale, mirrored = size / float(np.linalg.norm(eyes[0] - eyes[1])), draw.random() < 0.5
    linear = scale * rotation(turn)
    if mirrored:
        linear = linear @ np.diag([-1.0, 1.0])
    matrix = leading(linear, eyes.mean(0), middle)
    cut = cv2.warpAffine(
        image,
        matrix,
        (SIZE, SIZE),
        flags=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT if draw.random() < 0.5 else cv2.BORDER_REPLICATE,
        borderValue=(128, 128, 128),
    )
    moved = eyes @ linear.T + matrix[:, 2]
    turned = axes @ (linear / scale).T
    seen = moved[::-1] if mirrored else moved
    return PHOTOGRAPHED(np.asarray(cut, np.uint8), draw), seen.astype(np.float32), turned.astype(np.float32)
