"""Boxes and square crops, with their map between crop and image.

Coordinates are pixels of the unmirrored image, origin top left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture


Points: TypeAlias = npt.NDArray[np.float32]
"""Points, one a row: x, y and, where there are three columns, depth."""

Coordinates = TypeVar("Coordinates", npt.NDArray[np.float32], npt.NDArray[np.float64])


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


@dataclass(frozen=True, slots=True)
class CropSpec:
    """Square crop at a place of a head or box, in its unit: eye distances of a head, sides of a box.

    Attributes:
        side: side of the square.
        size: pixels that it is brought to.
        outward: offset of its centre to the side that is looked at.
        upward: offset of its centre.
    """

    side: float
    size: int
    outward: float = 0.0
    upward: float = 0.0

    def cut(self, picture: Picture, centre: tuple[float, float], unit_px: float) -> Crop:
        """Cut it upright around a centre."""
        return Crop.cut(picture, centre, self.side * unit_px, self.size)

    def cut_turned(
        self, picture: Picture, centre: tuple[float, float], unit_px: float, degrees: float, *, mirrored: bool = False
    ) -> Crop:
        """Cut it around a centre, turned upright from a lean to the picture's right, then mirrored."""
        if not (degrees or mirrored):
            return self.cut(picture, centre, unit_px)
        room = round(_ROOM * self.size)
        around = Crop.cut(picture, centre, _ROOM * self.side * unit_px, room)
        lean, rightward = np.radians(degrees), -1 if mirrored else 1
        axes = np.array([[rightward * np.cos(lean), -np.sin(lean)], [rightward * np.sin(lean), np.cos(lean)]])
        turn = np.column_stack([axes, (room - 1) / 2 - axes @ np.full(2, (self.size - 1) / 2)])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cut = cv2.warpAffine(around.picture, turn, (self.size, self.size), flags=flags, borderValue=GREY)
        return Crop(np.asarray(cut, np.uint8), around.scale, around.origin, turn)


_ROOM = 1.5
"""Side of the upright square that holds a turned one at any angle, in sides of it."""

GREY = (128, 128, 128)
"""Colour beyond the picture's border."""


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """A square cut out of a picture, with its map to the picture.

    Attributes:
        picture: the cut, shape (size, size, 3); beyond the picture's border it is grey.
        scale: pixels of the crop for one pixel of the whole picture.
        origin: where the upright crop's left upper corner lies in the whole picture, pixels.
        turn: affine map, shape (2, 3), from the pixels of a turned crop to those of an upright one around it.
    """

    picture: Picture
    scale: float
    origin: tuple[float, float]
    turn: npt.NDArray[np.float64] | None = None

    @classmethod
    def cut(cls, picture: Picture, centre: tuple[float, float], side: float, size: int) -> Crop:
        """Cut the square of `side` pixels around `centre` and bring it to `size` pixels."""
        origin = (centre[0] - side / 2, centre[1] - side / 2)
        scale = size / side
        part, corner = _part(picture, origin, side)
        source, shrink = _shrunk(part, scale)
        shift = [(corner[axis] - origin[axis]) * scale for axis in range(2)]
        matrix = np.array([[scale / shrink, 0, shift[0]], [0, scale / shrink, shift[1]]])
        cut = cv2.warpAffine(source, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=GREY)
        return cls(np.asarray(cut, np.uint8), scale, origin)

    def to_whole(self, points: Coordinates) -> Coordinates:
        """Points of the crop, shape (n, 2 or 3), as points of the whole picture."""
        moved = points.copy()
        if self.turn is not None:
            moved[:, :2] = points[:, :2] @ self.turn[:, :2].T + self.turn[:, 2]
        moved /= self.scale
        moved[:, :2] += np.asarray(self.origin, points.dtype)
        return moved

    def directions_to_whole(self, directions: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Directions in the crop, shape (n, 2), as directions in the whole picture."""
        return directions if self.turn is None else directions @ self.turn[:, :2].T

    def box_to_whole(self, box: Box) -> Box:
        """A box of an upright crop as one of the whole picture."""
        x, y, width, height = (length / self.scale for length in (box.x, box.y, box.width, box.height))
        return Box(x + self.origin[0], y + self.origin[1], width, height)


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
