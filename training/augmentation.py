"""Image augmentation: simulated cameras and light, and pasting of objects with soft edges and shadows.

A step is a function of an image and a random generator; a pipeline is a sequence of steps. `PHOTOGRAPHED` is applied to
crops of faces, hands and sides of heads, `POOR_CAMERA` to mouths. A *deviation* is the standard deviation of a random
value, or of its logarithm if it is a factor. Images are blue-green-red bytes; in steps of `light` they are float32 from
0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
from numpy.random import Generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image

Pixels: TypeAlias = npt.NDArray[Any]
Step: TypeAlias = Callable[[Pixels, Generator], Pixels]


def pipeline(*steps: Step) -> Step:
    """Apply steps one after another."""
    return lambda image, draw: reduce(lambda changed, step: step(changed, draw), steps, image)


def sometimes(probability: float, step: Step, otherwise: Step | None = None) -> Step:
    """Apply a step with a probability, and otherwise another step or none."""
    rest = otherwise or pipeline()
    return lambda image, draw: (step if draw.random() < probability else rest)(image, draw)


def light(*steps: Step) -> Step:
    """Apply steps to a float image, and round only the result."""
    taken = pipeline(*steps)
    return lambda image, draw: as_bytes(taken(image.astype(np.float32) / 255, draw) * 255)


def as_bytes(pixels: Pixels) -> Image:
    """Clip pixels to 0 to 255, and truncate them to bytes."""
    return np.asarray(np.clip(pixels, 0, 255), np.uint8)


def factor(deviation: float, draw: Generator) -> np.float32:
    """Draw a log-normal factor with median 1."""
    return np.float32(np.exp(draw.normal(0, deviation)))


def gain(balance: float, exposure: float = 0.0) -> Step:
    """Change white balance and exposure: scale each channel, and all channels together, by random factors."""

    def step(image: Pixels, draw: Generator) -> Pixels:
        common = draw.normal(0, exposure) if exposure else 0.0
        return image * np.exp(common + draw.normal(0, balance, 3)).astype(np.float32)

    return step


def saturation(of: Callable[[Generator], float]) -> Step:
    """Scale the difference from grey by a factor that `of` draws."""

    def step(image: Pixels, draw: Generator) -> Pixels:
        grey = image.mean(2, keepdims=True)
        return np.asarray(grey + (image - grey) * np.float32(of(draw)))

    return step


def gamma(deviation: float) -> Step:
    """Apply a random gamma."""
    return lambda image, draw: np.clip(image, 0, 1) ** factor(deviation, draw)


def contrast(deviation: float, middle: float | None = None) -> Step:
    """Scale the difference from a middle brightness by a random factor; without `middle` it is the image's mean."""

    def step(image: Pixels, draw: Generator) -> Pixels:
        fixed = image.mean() if middle is None else np.float32(middle)
        return np.asarray(fixed + (image - fixed) * factor(deviation, draw))

    return step


def brightness(deviation: float) -> Step:
    """Add a random brightness."""
    return lambda image, draw: image + np.float32(draw.normal(0, deviation))


def side_light(deviation: float) -> Step:
    """Light an image from one side by a random linear gradient along an axis."""

    def step(image: Pixels, draw: Generator) -> Pixels:
        slope = np.linspace(-1, 1, len(image), dtype=np.float32) * np.float32(draw.normal(0, deviation))
        return image * (1 + (slope[:, None, None] if draw.random() < 0.5 else slope[None, :, None]))

    return step


def slanting_light(deviation: float) -> Step:
    """Light an image from any direction by a random exponential gradient."""

    def step(image: Pixels, draw: Generator) -> Pixels:
        angle, strength = draw.uniform(0, 2 * np.pi), draw.normal(0, deviation)
        along = np.linspace(-1, 1, len(image), dtype=np.float32)
        return image * np.exp(strength * (np.cos(angle) * along[:, None] + np.sin(angle) * along))[..., None]

    return step


def defocus(low: float, high: float) -> Step:
    """Apply a Gaussian blur with a standard deviation between two values in pixels."""
    return lambda image, draw: np.asarray(cv2.GaussianBlur(image, (0, 0), draw.uniform(low, high)), np.uint8)


def motion(image: Pixels, draw: Generator) -> Pixels:
    """Apply a motion blur of 2 to 5 pixels in any direction."""
    length, angle = int(draw.integers(2, 6)), draw.uniform(0, np.pi)
    across, down = (int(step) for step in np.round(3 + length / 2 * np.array([np.cos(angle), np.sin(angle)])) - 3)
    return moved(image, across, down)


def jerk(image: Pixels, draw: Generator) -> Pixels:
    """Apply a motion blur of up to three pixels along each axis."""
    across, down = (int(step) for step in draw.integers(-3, 4, 2))
    return moved(image, across, down)


def moved(image: Pixels, across: int, down: int) -> Image:
    """Apply a motion blur along a vector, rightward and downward, of up to three pixels along each axis."""
    kernel = np.zeros((7, 7), np.float32)
    cv2.line(kernel, (3 - across, 3 - down), (3 + across, 3 + down), 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def noise(low: float, high: float, coloured: float = 1.0) -> Step:
    """Add sensor noise with a standard deviation between two grey levels; `coloured` is the chance of colour noise."""

    def step(image: Pixels, draw: Generator) -> Pixels:
        channels = 3 if draw.random() < coloured else 1
        grain = draw.standard_normal((*image.shape[:2], channels), np.float32)
        return as_bytes(image + grain * np.float32(draw.uniform(low, high)))

    return step


def sharpening(image: Pixels, draw: Generator) -> Pixels:
    """Sharpen an image as webcams do."""
    amount, soft = draw.uniform(0.3, 1.5), cv2.GaussianBlur(image, (0, 0), draw.uniform(0.8, 1.6))
    return np.asarray(cv2.addWeighted(image, 1 + amount, soft, -amount, 0), np.uint8)


def jpeg(low: int, high: int) -> Step:
    """Compress an image as JPEG with a random quality from `low` to below `high`."""
    return lambda image, draw: through_jpeg(image, int(draw.integers(low, high)))


def through_jpeg(image: Pixels, quality: int) -> Image:
    """Compress an image as JPEG and decode it."""
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def resolution(*steps: Step) -> Step:
    """Apply steps at a lower resolution, mostly 0.3 to 0.95 of the image's, and enlarge the result again."""
    at_low_resolution = pipeline(*steps)

    def step(image: Pixels, draw: Generator) -> Pixels:
        side = round(len(image) * (draw.uniform(0.3, 0.95) if draw.random() < 0.6 else 1.0))
        small = np.asarray(cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
        whole = len(image), len(image)
        return np.asarray(cv2.resize(at_low_resolution(small, draw), whole, interpolation=cv2.INTER_LINEAR), np.uint8)

    return step


PHOTOGRAPHED: Final = pipeline(
    sometimes(
        0.9,
        light(
            gain(0.12),
            saturation(lambda draw: draw.uniform(0.3, 1.4)),
            gamma(0.25),
            contrast(0.2, middle=0.5),
            brightness(0.06),
            sometimes(0.3, side_light(0.25)),
        ),
    ),
    sometimes(0.3, sometimes(0.5, defocus(0.4, 1.6), motion)),
    resolution(sometimes(0.5, noise(1, 12)), sometimes(0.5, jpeg(25, 90))),
)
"""Augmentation of a square crop: another camera in another light, at 0.3 of the resolution or more."""

POOR_CAMERA: Final = pipeline(
    light(
        gamma(0.3),
        gain(0.08, exposure=0.15),
        saturation(lambda draw: 0.0 if draw.random() < 0.04 else float(factor(0.3, draw))),
        contrast(0.2),
        sometimes(0.3, slanting_light(0.35)),
    ),
    sometimes(0.25, defocus(0.4, 1.2), sometimes(0.16, jerk)),
    sometimes(0.5, noise(0.005 * 255, 0.05 * 255, coloured=0.6)),
    sometimes(0.35, sharpening),
    sometimes(0.7, jpeg(25, 95)),
)
"""Augmentation of a mouth that has the resolution of the simulated camera: another camera in another light."""

PALM = (0, 1, 5, 9, 13, 17)
"""Joints around the palm, in MediaPipe's order."""


def moved_by(matrix: npt.NDArray[np.float64], image: Image, size: int) -> Pixels:
    """Apply an affine map to an image, and return a square of the size in pixels, with a replicated border."""
    return cv2.warpAffine(image, matrix, (size, size), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def feathered(mask: Pixels, softness: float) -> Pixels:
    """Blur the edge of a mask of shape (height, width); `softness` is a standard deviation in pixels."""
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), softness))[..., None]


def pasted(thing: Pixels, share: Pixels, background: Pixels, shadow: Pixels | None = None) -> Pixels:
    """Paste a thing over a background.

    Args:
        share: coverage of each pixel by the thing, 0 to 1.
        shadow: share of the background's light that the thing blocks; None if it casts no shadow.
    """
    shaded = background if shadow is None else background * (1 - shadow)
    return np.asarray(shaded * (1 - share) + thing * share)


def drawn_hand(
    shape: Sequence[int], joints: npt.NDArray[np.float64], width: float, fingers: Sequence[Sequence[int]]
) -> npt.NDArray[np.uint8]:
    """Draw the mask of a hand, 0 or 1, from its joints in pixels and the width of its fingers."""
    mask = np.zeros(shape, np.uint8)
    points = np.round(joints).astype(np.int32)
    cv2.fillConvexPoly(mask, cv2.convexHull(points[list(PALM)]), 1)
    for finger in fingers:
        cv2.polylines(mask, [points[list(finger)]], isClosed=False, color=1, thickness=max(1, round(width)))
    return mask
