"""Side crop and side network: from one side of a head, upright and mirrored to the left, to logits.

The network does not need a detected hand, so it sees hands that MediaPipe misses, and also sees empty sides. The crop
follows the head's own axes: its tilt is undone and the player's right side is mirrored, so that outward is always to
the right. Training uses the same function (`training/headgear`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.geometry import CropSpec
from bunnymoose_cv.vision.logits import sigmoid
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet, blob

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.headgear.logit_scaling import Logits


SHIPPED_NET: Final = bundled("models/side.onnx")

WINDOW = 6.2
"""Side of the square that the network sees, in eye distances, large enough for whole hands at temple, ear and crown."""

SIZE = 144
"""Side of the network's input, in pixels."""

OUTWARD, UPWARD = 1.9, 1.5
"""Middle of the square, in eye distances from the middle between the eyes."""


def cut_side(image: Image, head: Head, side: Side, window: float = WINDOW, size: int = SIZE) -> Image:
    """Cut a square of `window` eye distances on one side of a head out of an image.

    Returns:
        the crop, shape (size, size, 3), with outward to the right and upward up; grey beyond the image's border.
    """
    spec = CropSpec(window, size, OUTWARD, UPWARD, mirrored=side is Side.RIGHT)
    return spec.cut(image, head.place(spec, side), head.eye_distance, head.tilt_degrees).image


def share_in_image(image: Image, head: Head, side: Side) -> float:
    """Return the share of the square around one side that is within the image, 0 to 1, ignoring the head's tilt."""
    half = WINDOW * head.eye_distance / 2
    middle = head.place(CropSpec(WINDOW, SIZE, OUTWARD, UPWARD), side)
    lengths = image.shape[1], image.shape[0]
    width, height = (
        max(0.0, min(place + half, length) - max(place - half, 0.0))
        for place, length in zip(middle, lengths, strict=True)
    )
    return float(width * height / (2 * half) ** 2)


def share_in_cut(points: Points, head: Head, side: Side) -> float:
    """Return the share of points of the image, shape (n, 2 or 3), that are in the square around one side, 0 to 1."""
    leftward, upward = head.measure(points).T
    outward = leftward if side is Side.LEFT else -leftward
    offsets = np.abs([outward - OUTWARD, upward - UPWARD])
    return float((offsets <= WINDOW / 2).all(0).mean())


@dataclass(frozen=True, slots=True, eq=False)
class SideAnswer:
    """Answer of the side network for one crop.

    Attributes:
        logits: logits of the headgear, shape (1, 7).
        shows_hand: probability that the crop shows a hand, 0 to 1.
    """

    logits: Logits
    shows_hand: float


class SideNet:
    """Side network, loaded. It belongs to one thread at a time."""

    def __init__(self, model: Path = SHIPPED_NET) -> None:
        self._net = OnnxNet(model)

    def answer(self, cut: Image) -> SideAnswer:
        """Return the network's answer for one crop from `cut_side`."""
        logits, hand = self._net.run_all(blob([cut]), ("answers", "hand"))
        return SideAnswer(logits, float(sigmoid(hand)[0, 0]))
