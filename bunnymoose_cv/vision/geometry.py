"""Boxes and square crops, with their map between crop and image.

Coordinates are pixels of the unmirrored image, origin top left: the middle of the first pixel lies at a half.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image


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

    @property
    def area(self) -> float:
        """Width times height, square pixels."""
        return self.width * self.height

    def intersection_over_smaller(self, other: Box) -> float:
        """Intersection over the smaller box's area (IoS), 0 to 1: of a box within another 1, where IoU may be small."""
        return self._shared(other, min(self.area, other.area))

    def share_in(self, other: Box) -> float:
        """The share of this box's area that lies in another, 0 to 1."""
        return self._shared(other, self.area)

    def _shared(self, other: Box, area: float) -> float:
        width = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        height = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(0.0, width) * max(0.0, height) / area if area > 0 else 0.0


@dataclass(frozen=True, slots=True)
class CropSpec:
    """Square crop at a place of a head or box, in its unit: eye distances of a head, sides of a box.

    Attributes:
        size: pixels that it is brought to.
        outward: offset of its centre to the side that is looked at.
        upward: offset of its centre.
        degrees: turn, clockwise in the image.
        continued: whether the outermost pixels go on beyond the image's border, instead of grey.
    """

    side: float
    size: int
    outward: float = 0.0
    upward: float = 0.0
    degrees: float = 0.0
    mirrored: bool = False
    continued: bool = False

    def cut(self, image: Image, centre: tuple[float, float], unit_px: float, lean_degrees: float = 0.0) -> Crop:
        """Cut the crop around a centre.

        Args:
            unit_px: the spec's unit, pixels.
            lean_degrees: lean to the image's right that is taken out.
        """
        matrix = _crop_matrix(
            centre, self.side * unit_px / self.size, self.size, self.degrees + lean_degrees, mirrored=self.mirrored
        )
        return Crop(_warped(image, matrix, self.size, continued=self.continued), matrix)


GREY = (128, 128, 128)
"""Colour beyond the image's border."""


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """A square cut out of an image, with its map to the image.

    Attributes:
        image: the cut, shape (size, size, 3).
        matrix: affine map, shape (2, 3), from pixels of the crop to those of the whole image.
    """

    image: Image
    matrix: npt.NDArray[np.float64]

    @classmethod
    def cut(cls, image: Image, centre: tuple[float, float], side: float, size: int) -> Crop:
        """Cut the upright square of `side` pixels around `centre` and bring it to `size` pixels."""
        return CropSpec(side, size).cut(image, centre, 1.0)

    @property
    def scale(self) -> float:
        """Pixels of the crop for one pixel of the whole image."""
        return 1 / float(np.linalg.norm(self.matrix[:, 0]))

    def to_whole(self, points: Coordinates) -> Coordinates:
        """Points of the crop, shape (n, 2 or 3), as points of the whole image."""
        moved = points / points.dtype.type(self.scale)
        moved[:, :2] = points[:, :2] @ self.matrix[:, :2].T + self.matrix[:, 2]
        return moved

    def directions_to_whole(self, directions: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Directions in the crop, shape (n, 2), as directions in the whole image."""
        return directions @ self.matrix[:, :2].T * self.scale

    def box_to_whole(self, box: Box) -> Box:
        """A box of an upright crop as one of the whole image."""
        x, y, width, height = (length / self.scale for length in (box.x, box.y, box.width, box.height))
        return Box(x + float(self.matrix[0, 2]), y + float(self.matrix[1, 2]), width, height)


def _crop_matrix(
    centre: tuple[float, float], unit: float, size: int, degrees: float, *, mirrored: bool
) -> npt.NDArray[np.float64]:
    """Map from a crop whose pixels are `unit` pixels of the image wide."""
    lean, rightward = np.radians(degrees), -1 if mirrored else 1
    axes = unit * np.array([[rightward * np.cos(lean), -np.sin(lean)], [rightward * np.sin(lean), np.cos(lean)]])
    return np.column_stack([axes, np.asarray(centre) - axes @ np.full(2, size / 2)])


def _warped(image: Image, matrix: npt.NDArray[np.float64], size: int, *, continued: bool) -> Image:
    """Cut a crop by one affine warp, shrunk by area first so that nothing aliases."""
    axes = matrix[:, :2]
    corners = axes @ np.array([[0, 0, size, size], [0, size, 0, size]]) + matrix[:, 2:]
    factor = int(np.linalg.norm(axes[:, 0]))  # a linear cut reads every pixel down to one half
    part, corner = _part(image, corners.min(1), corners.max(1), margin=factor + 1)
    source, factor = _shrunk(part, factor)
    first = matrix @ np.array([0.5, 0.5, 1.0])  # middle of the crop's first pixel
    indices = np.column_stack([axes / factor, (first - corner) / factor - 0.5])
    cut = cv2.warpAffine(
        source,
        indices,
        (size, size),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE if continued else cv2.BORDER_CONSTANT,
        borderValue=GREY,
    )
    return np.asarray(cut, np.uint8)


def _part(
    image: Image, low: npt.NDArray[np.float64], high: npt.NDArray[np.float64], margin: int
) -> tuple[Image, npt.NDArray[np.int64]]:
    """Part of an image between two corners with a margin, at least one pixel, and its origin."""
    height, width = image.shape[:2]
    left, right = _stretch(float(low[0]), float(high[0]), width, margin)
    top, bottom = _stretch(float(low[1]), float(high[1]), height, margin)
    return image[top:bottom, left:right], np.array([left, top])


def _stretch(begin: float, end: float, whole: int, margin: int) -> tuple[int, int]:
    """Pixels of one axis with a margin at each end."""
    first = min(max(int(begin) - margin, 0), whole - 1)
    return first, min(max(int(end) + margin + 1, first + 1), whole)


def _shrunk(image: Image, factor: int) -> tuple[Image, int]:
    """An image shrunk by area, and by how much: a whole number, which is many times as fast as another."""
    height, width = image.shape[:2]
    factor = min(factor, height, width)
    if factor <= 1:
        return image, 1
    size = (width // factor, height // factor)
    whole = image[: size[1] * factor, : size[0] * factor]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8), factor
