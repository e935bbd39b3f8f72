"""Boxes and square crops, with the mapping of points between crop and image.

Coordinates are pixels of the unmirrored image, origin top left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture


Points: TypeAlias = npt.NDArray[np.float32]
"""Points, one a row: x, y and, where there are three columns, depth."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in pixels: left upper corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """The middle, in pixels."""
        return self.x + self.width / 2, self.y + self.height / 2

    @classmethod
    def around(cls, points: Points) -> Box:
        """The smallest box that holds points of shape (n, 2 or more)."""
        low, high = points[:, :2].min(0), points[:, :2].max(0)
        return cls(float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))

    def overlap(self, other: Box) -> float:
        """The shared area as a share of the smaller box's area, 0 to 1."""
        width = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        height = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        smaller = min(self.width * self.height, other.width * other.height)
        return max(0.0, width) * max(0.0, height) / smaller if smaller > 0 else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """A square cut out of a picture and brought to a fixed size; beyond the picture's border it is filled with grey.

    Attributes:
        picture: the cut, shape (size, size, 3).
        scale: pixels of the crop for one pixel of the whole picture.
        origin: where the crop's left upper corner lies in the whole picture, pixels.
    """

    picture: Picture
    scale: float
    origin: tuple[float, float]

    @classmethod
    def cut(cls, picture: Picture, centre: tuple[float, float], side: float, size: int) -> Crop:
        """Cut the square of `side` pixels around `centre` and bring it to `size` pixels."""
        origin = (centre[0] - side / 2, centre[1] - side / 2)
        scale = size / side
        part, corner = _part(picture, origin, side)
        source, shrink = _shrunk(part, scale)
        shift = [(corner[axis] - origin[axis]) * scale for axis in range(2)]
        matrix = np.array([[scale / shrink, 0, shift[0]], [0, scale / shrink, shift[1]]])
        grey = (128, 128, 128)
        cut = cv2.warpAffine(source, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=grey)
        return cls(np.asarray(cut, np.uint8), scale, origin)

    def to_whole(self, points: Points) -> Points:
        """Points of the crop, shape (n, 3), as points of the whole picture."""
        moved = points / self.scale
        moved[:, :2] += np.asarray(self.origin, np.float32)
        return moved


def _part(picture: Picture, origin: tuple[float, float], side: float) -> tuple[Picture, tuple[int, int]]:
    """Part of an image inside a square, at least one pixel, and its origin."""
    height, width = picture.shape[:2]
    left, right = _stretch(origin[0], side, width)
    top, bottom = _stretch(origin[1], side, height)
    return picture[top:bottom, left:right], (left, top)


def _stretch(begin: float, side: float, whole: int) -> tuple[int, int]:
    """The pixels of one axis, with one more at each end for the linear cut."""
    first = min(max(int(begin) - 1, 0), whole - 1)
    return first, min(max(int(begin + side) + 2, first + 1), whole)


def _shrunk(picture: Picture, scale: float) -> tuple[Picture, float]:
    """A picture shrunk by area where a linear cut would skip pixels, and by how much."""
    if scale >= 0.5:  # noqa: PLR2004 - a linear cut reads every pixel down to one half
        return picture, 1.0
    shrink = scale / 0.5
    height, width = (max(1, round(length * shrink)) for length in picture.shape[:2])
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8), shrink
