"""One wide cut to many net inputs: as other cameras, distances, lights and people would have shown it.

Owns neither labels nor the net. Everything is drawn from a passed-in generator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from cuts import WIDE, WIDE_SIZE

from bunnymoose_cv.vision.tongue import SIDE, SIZE

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture

NEAREST_PX, FARTHEST_PX = 110.0, 16.0
"""Eye distances that are met at a table, in pixels."""

_EYE = WIDE_SIZE / WIDE
"""One eye distance in pixels of a wide cut."""


def vary(mouth: Picture, host: Picture | None, random: np.random.Generator) -> Picture:
    """Make one net input of a wide cut.

    Args:
        mouth: the wide cut that shows what the label says.
        host: the wide cut of another person whose face goes around this mouth; None keeps its own face.
        random: where chance comes from.

    Returns:
        Bytes of shape (SIZE, SIZE, 3).
    """
    scene = mouth if host is None else graft(mouth, host, random)
    if _happens(0.25, random):
        scene = _cut_off_below(scene, random)
    eye_distance = float(np.exp(random.uniform(np.log(FARTHEST_PX), np.log(NEAREST_PX))))
    scene = at_distance(scene, eye_distance)
    scene = _light(scene, random)
    scene = _camera(scene, random)
    seen = window(scene, _Shake.drawn(random))
    return np.asarray(seen[:, ::-1], np.uint8) if _happens(0.5, random) else seen


def graft(mouth: Picture, host: Picture, random: np.random.Generator) -> Picture:
    """Put the mouth of one wide cut into the face of another, in that face's light, with soft edges.

    Rendered tongues come into photographed faces this way, and rendered closed mouths too, so that a photograph is no
    sign of a tongue that is in. The mouth is stretched, turned and tinted a little on the way: mouths differ more than
    one body model does.
    """
    mouth = _stretched(mouth, random)
    half_width, half_height = _EYE * random.uniform(0.85, 1.25, 2) * (0.52, 0.60)
    offsets = np.arange(WIDE_SIZE, dtype=np.float32) - WIDE_SIZE / 2
    distance = np.sqrt((offsets / half_width) ** 2 + ((offsets + 1) / half_height)[:, None] ** 2, dtype=np.float32)
    share = np.clip((1.15 - distance) / 0.3, 0, 1)
    rim = ((share > 0) & (share < 1)).astype(np.uint8)
    light = (np.array(cv2.mean(host, rim)) + 4) / (np.array(cv2.mean(mouth, rim)) + 4)
    light = np.clip(light[:3] * np.exp(random.normal(0, 0.08, 3)), 0.35, 2.5)
    lit = cv2.multiply(mouth, (*light, 0.0))
    return np.asarray(cv2.blendLinear(lit, host, share, 1 - share), np.uint8)


def at_distance(cut: Picture, eye_distance: float) -> Picture:
    """A wide cut as a camera shows it that gets this many pixels between the eyes; never more than the cut has."""
    side = round(min(1.0, eye_distance / _EYE) * WIDE_SIZE)
    return np.asarray(cv2.resize(cut, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True)
class _Shake:
    """How wrong landmarks move what is cut: turn in radians, scale, shift x and y in eye distances, shear x for y."""

    turn: float = 0.0
    scale: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)
    shear: float = 0.0

    @classmethod
    def drawn(cls, random: np.random.Generator) -> _Shake:
        across, down = random.normal(0, 0.05, 2)
        return cls(
            random.normal(0, 0.10), float(np.exp(random.normal(0, 0.08))), (across, down), random.normal(0, 0.06)
        )


_STILL = _Shake()


def window(scene: Picture, shake: _Shake = _STILL) -> Picture:
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


def _stretched(mouth: Picture, random: np.random.Generator) -> Picture:
    """A wide cut stretched each way and turned around its middle."""
    turn = random.normal(0, 0.1)
    wider, higher = np.exp(random.normal(0, 0.12, 2))
    matrix = np.array([[np.cos(turn) * wider, np.sin(turn) * wider], [-np.sin(turn) * higher, np.cos(turn) * higher]])
    middle = np.full(2, (WIDE_SIZE - 1) / 2)
    matrix = np.column_stack([matrix, middle - matrix @ middle])
    stretched = cv2.warpAffine(mouth, matrix, (WIDE_SIZE, WIDE_SIZE), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(stretched, np.uint8)


def _cut_off_below(scene: Picture, random: np.random.Generator) -> Picture:
    """The picture ends below the chin and its last row goes on, as in tight pictures and at a picture's border."""
    cut = scene.copy()
    last = int(_EYE * random.uniform(1.75, 2.3))
    cut[last:] = cut[last]
    return cut


def _light(scene: Picture, random: np.random.Generator) -> Picture:
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


def _camera(scene: Picture, random: np.random.Generator) -> Picture:
    """Blur or motion, noise, the sharpening of webcams, JPEG: all in pixels of the camera."""
    if _happens(0.25, random):
        scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), random.uniform(0.4, 1.2)), np.uint8)
    elif _happens(0.16, random):
        scene = _moved(scene, random)
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


def _moved(scene: Picture, random: np.random.Generator) -> Picture:
    """Blurred by a movement of up to three pixels either way."""
    kernel = np.zeros((7, 7), np.float32)
    across, down = (int(step) for step in random.integers(-3, 4, 2))
    cv2.line(kernel, (3 - across, 3 - down), (3 + across, 3 + down), 1.0)
    return np.asarray(cv2.filter2D(scene, -1, kernel / kernel.sum()), np.uint8)
