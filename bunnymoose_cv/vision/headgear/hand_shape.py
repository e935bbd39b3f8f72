"""Upright crop of a hand, and the network that reads the hand's shape from pixels, even if its joints are misplaced.

The crop is turned so that the hand points up from its wrist, and mirrored on the player's right side. Training uses the
same `HandFrame` (`training/hand_shape`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.geometry import CropSpec
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet, blob

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.nets.onnx_net import Array

SHIPPED_NET: Final = bundled("models/hand_shape.onnx")

SIZE: Final = 128
"""Side of the network's input, pixels."""

WINDOW: Final = 1.5
"""Side of the crop, in extents of the joints. Fingertips reach beyond the last joints."""

WRIST, MIDDLE_ROOT = 0, 9


@dataclass(frozen=True, slots=True)
class HandFrame:
    """Place, size and direction of a hand in an image.

    Attributes:
        centre: middle of the joints along and across the hand, pixels.
        extent: longer side of the box around the joints, pixels.
        lean_degrees: lean of the hand from the vertical, to the image's right.
    """

    centre: tuple[float, float]
    extent: float
    lean_degrees: float

    @classmethod
    def around(cls, points: Points) -> HandFrame:
        """Return the frame around 21 joints, shape (21, 2 or more), pixels."""
        joints = points[:, :2].astype(np.float64)
        along = joints[MIDDLE_ROOT] - joints[WRIST]
        lean = np.arctan2(along[0], -along[1])
        axes = np.array([[np.cos(lean), np.sin(lean)], [-np.sin(lean), np.cos(lean)]])
        upright = joints @ axes.T
        low, high = upright.min(0), upright.max(0)
        x, y = axes.T @ ((low + high) / 2)
        return cls((float(x), float(y)), max(1.0, float((high - low).max())), float(np.degrees(lean)))

    def cut(self, image: Image, *, mirrored: bool) -> Image:
        """Cut the hand out of an image, upright, shape (SIZE, SIZE, 3)."""
        spec = CropSpec(WINDOW, SIZE, mirrored=mirrored)
        return spec.cut(image, self.centre, self.extent, self.lean_degrees).image


class HandShapeNet:
    """Network that reads the shape of a hand from its pixels. It belongs to one thread at a time."""

    def __init__(self, model: Path = SHIPPED_NET) -> None:
        self._net = OnnxNet(model)

    def logits_at(self, image: Image, hands: Mapping[Side, HandLandmarks]) -> Array:
        """Return the logits of the hands at one head, shape (n, 6), by the side that each is on."""
        frames = [(HandFrame.around(hand.points), side is Side.RIGHT) for side, hand in hands.items()]
        return self.logits([frame.cut(image, mirrored=mirrored) for frame, mirrored in frames])

    def logits(self, crops: Sequence[Image]) -> Array:
        """Return the logits of one or more crops, shape (n, 6).

        The columns are open hand, two fingers, four fingers and another shape, which exclude each other, then wide and
        straight.
        """
        return self._net.run(blob(crops))
