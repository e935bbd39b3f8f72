"""One wide cut to many net inputs: as other cameras, distances, lights and people would have shown it.

Everything is drawn from a passed-in generator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.vision.tongue.mouth_crop import SIDE, SIZE
from training.degradations import moved
from training.tongue.mouth_crops import WIDE, WIDE_SIZE

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image

NEAREST_PX, FARTHEST_PX = 110.0, 16.0
"""Eye distances that are met at a table, in pixels."""

EYE = WIDE_SIZE / WIDE
"""One eye distance in pixels of a wide cut."""

LIPS = np.array([WIDE_SIZE / 2, WIDE_SIZE / 2 - 0.2 * EYE])
"""About where the lips meet in a wide cut, pixels."""


def vary(scene: Image, random: np.random.Generator, *, by_camera: bool = False) -> Image:
    """Make one net input of a wide cut.

    Args:
        scene: the wide cut.
        random: where chance comes from.
        by_camera: whether it is as hard as a poor camera makes it already; half of these are spoilt no more.

    Returns:
        Bytes of shape (SIZE, SIZE, 3).
    """
    if not by_camera or _happens(0.5, random):
        scene = _spoilt(scene, random)
    seen = window(scene, Shake.drawn(random))
    return np.asarray(seen[:, ::-1], np.uint8) if _happens(0.5, random) else seen


def _spoilt(scene: Image, random: np.random.Generator) -> Image:
    """A wide cut from farther away, in another light, by another camera."""
    if _happens(0.25, random):
        scene = _cut_off_below(scene, random)
    eye_distance = float(np.exp(random.uniform(np.log(FARTHEST_PX), np.log(NEAREST_PX))))
    return _camera(_light(at_distance(scene, eye_distance), random), random)


def graft(mouth: Image, host: Image, random: np.random.Generator) -> Image:
    """Set the mouth of one wide cut into the face of another without a seam, its colours led over into that face's.

    Tongues come into faces this way that keep theirs in, and closed mouths into other faces too, so that neither a
    photographed face nor a seam is a sign of either. The mouth is stretched and turned a little on the way: mouths
    differ more than one body model and a handful of photographed tongues do.
    """
    half_width, half_height = EYE * random.uniform(0.8, 1.15, 2) * (0.58, 0.66)
    x, y = WIDE_SIZE / 2 + random.normal(0, 2, 2) + (0, 2)
    offsets = np.arange(WIDE_SIZE)
    inside = ((offsets - x) / half_width) ** 2 + ((offsets - y)[:, None] / half_height) ** 2 < 1
    mask = inside.astype(np.uint8) * 255
    left, top, width, height = cv2.boundingRect(mask)
    middle = (left + width // 2, top + height // 2)
    return np.asarray(cv2.seamlessClone(_stretched(mouth, random), host, mask, middle, cv2.NORMAL_CLONE), np.uint8)


def lay_tongue(mouth: Image, cover: npt.NDArray[np.uint8], host: Image, random: np.random.Generator) -> Image:
    """Lay the tongue of one wide cut, and nothing else of it, into the face of another, from its lips downwards.

    Shorter than it was or as long, in colours between its own and those of that face's lips.

    Args:
        mouth: the wide cut that shows the tongue.
        cover: how much of each pixel the tongue covers, 0 to 255.
        host: the wide cut of a face whose tongue is in.
        random: where chance comes from.
    """
    rows, columns = np.nonzero(cover > 127)
    root = np.array([columns[rows <= np.quantile(rows, 0.1) + 1].mean(), rows.min()])
    turn = random.normal(0, 0.2)
    across, down = np.exp(random.normal(0, 0.15)), np.exp(random.uniform(np.log(0.4), np.log(1.1)))
    matrix = np.array([[np.cos(turn) * across, -np.sin(turn) * down], [np.sin(turn) * across, np.cos(turn) * down]])
    lips = LIPS + random.normal(0, 3, 2)
    matrix = np.column_stack([matrix, lips - matrix @ root])
    size = (WIDE_SIZE, WIDE_SIZE)
    tongue = cv2.warpAffine(mouth, matrix, size, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    hard = cv2.warpAffine(cover, matrix, size).astype(np.float32) / 255
    share = cv2.GaussianBlur(hard, (0, 0), random.uniform(0.5, 1.1))[..., None]
    x, y = lips.astype(int)
    around = host[y - 1 : y + 6, x - 8 : x + 9].reshape(-1, 3).mean(0) + 4
    own = (tongue * share).sum((0, 1)) / (share.sum() + 1e-6) + 4
    tongue *= (around / own) ** random.uniform(0.2, 1.0) * np.exp(random.normal(0, 0.1) + random.normal(0, 0.05, 3))
    shadow = cv2.GaussianBlur(np.roll(share[..., 0], 2, 0), (0, 0), 2.0)[..., None] * random.uniform(0, 0.5)
    return np.asarray(np.clip(host * (1 - shadow) * (1 - share) + tongue * share, 0, 255), np.uint8)


def at_distance(cut: Image, eye_distance: float) -> Image:
    """A wide cut as a camera shows it that gets this many pixels between the eyes; never more than the cut has."""
    side = round(min(1.0, eye_distance / EYE) * WIDE_SIZE)
    return np.asarray(cv2.resize(cut, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True)
class Shake:
    """Effect of wrong landmarks on a cut: turn in radians, scale, shift x and y in eye distances, shear x for y."""

    turn: float = 0.0
    scale: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)
    shear: float = 0.0

    @classmethod
    def drawn(cls, random: np.random.Generator) -> Shake:
        """Draw an error of the landmarks, as large as it often is."""
        across, down = random.normal(0, 0.05, 2)
        return cls(
            random.normal(0, 0.10), float(np.exp(random.normal(0, 0.08))), (across, down), random.normal(0, 0.06)
        )


def window(scene: Image, shake: Shake) -> Image:
    """The net's input out of a wide cut of any size: its middle, SIDE eye distances wide, brought to SIZE pixels."""
    side = len(scene)
    zoom = SIZE / (side * SIDE / WIDE * shake.scale)
    cos, sin = np.cos(shake.turn) * zoom, np.sin(shake.turn) * zoom
    matrix = np.array([[cos, sin + shake.shear * zoom], [-sin, cos]])
    middle = (side - 1) / 2 + np.array(shake.shift) * side / WIDE
    matrix = np.column_stack([matrix, (SIZE - 1) / 2 - matrix @ middle])
    cut = cv2.warpAffine(scene, matrix, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)


def _happens(chance: float, random: np.random.Generator) -> bool:
    """True that often, 0 to 1."""
    return bool(random.random() < chance)


def _stretched(mouth: Image, random: np.random.Generator) -> Image:
    """A wide cut stretched each way and turned around its middle."""
    turn = random.normal(0, 0.1)
    wider, higher = np.exp(random.normal(0, 0.12, 2))
    matrix = np.array([[np.cos(turn) * wider, np.sin(turn) * wider], [-np.sin(turn) * higher, np.cos(turn) * higher]])
    middle = np.full(2, (WIDE_SIZE - 1) / 2)
    matrix = np.column_stack([matrix, middle - matrix @ middle])
    stretched = cv2.warpAffine(mouth, matrix, (WIDE_SIZE, WIDE_SIZE), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(stretched, np.uint8)


def _cut_off_below(scene: Image, random: np.random.Generator) -> Image:
    """Cut the image off below the chin and repeat its last row, as at an image's border."""
    cut = scene.copy()
    last = int(EYE * random.uniform(1.75, 2.3))
    cut[last:] = cut[last]
    return cut


def _light(scene: Image, random: np.random.Generator) -> Image:
    """Exposure, colour of the light, colourfulness, contrast, light from one side."""
    levels = np.linspace(0, 1, 256)[:, None] ** np.exp(random.normal(0, 0.3))
    levels = levels * np.exp(random.normal(0, 0.15) + random.normal(0, 0.08, 3))
    light = levels.astype(np.float32)[scene, np.arange(3)]
    grey = light.mean(2, keepdims=True)
    light = grey + (light - grey) * np.float32(0.0 if _happens(0.04, random) else np.exp(random.normal(0, 0.3)))
    mean = light.mean()
    light = mean + (light - mean) * np.float32(np.exp(random.normal(0, 0.2)))
    if _happens(0.3, random):
        angle, strength = random.uniform(0, 2 * np.pi), random.normal(0, 0.35)
        along = np.linspace(-1, 1, len(scene))
        light *= np.exp(strength * (np.cos(angle) * along[:, None] + np.sin(angle) * along))[..., None]
    return np.asarray(np.clip(light * 255, 0, 255), np.uint8)


def _camera(scene: Image, random: np.random.Generator) -> Image:
    """Blur or motion, noise, the sharpening of webcams, JPEG: all in pixels of the camera."""
    if _happens(0.25, random):
        scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), random.uniform(0.4, 1.2)), np.uint8)
    elif _happens(0.16, random):
        across, down = (int(step) for step in random.integers(-3, 4, 2))
        scene = moved(scene, across, down)
    if _happens(0.5, random):
        channels = 3 if _happens(0.6, random) else 1
        noise = random.standard_normal((*scene.shape[:2], channels), np.float32) * 255 * random.uniform(0.005, 0.05)
        scene = np.asarray(np.clip(scene + noise, 0, 255), np.uint8)
    if _happens(0.35, random):
        amount, soft = random.uniform(0.3, 1.5), cv2.GaussianBlur(scene, (0, 0), random.uniform(0.8, 1.6))
        scene = np.asarray(cv2.addWeighted(scene, 1 + amount, soft, -amount, 0), np.uint8)
    if _happens(0.7, random):
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(25, 95))]
        scene = np.asarray(cv2.imdecode(cv2.imencode(".jpg", scene, quality)[1], cv2.IMREAD_COLOR), np.uint8)
    return scene
