"""Geometry of images: boxes, square crops with the map between crop and image, and images shrunk as a whole.

Coordinates are pixels of the unmirrored image, origin top left. The centre of the first pixel is at (0.5, 0.5).
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
"""Points, one per row: x, y and, in a third column, depth."""

Coordinates = TypeVar("Coordinates", npt.NDArray[np.float32], npt.NDArray[np.float64])


@dataclass(frozen=True, slots=True)
class Box:
    """Upright rectangle in pixels: upper left corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """Centre, in pixels."""
        return self.x + self.width / 2, self.y + self.height / 2

    @classmethod
    def around(cls, points: Points) -> Box:
        """Return the smallest box around points of shape (n, 2 or more)."""
        low, high = points[:, :2].min(0), points[:, :2].max(0)
        return cls(float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))

    @property
    def area(self) -> float:
        """Width times height, square pixels."""
        return self.width * self.height

    def intersection_over_smaller(self, other: Box) -> float:
        """Return the intersection over the smaller box's area (IoS), 0 to 1."""
        return self._shared(other, min(self.area, other.area))

    def share_in(self, other: Box) -> float:
        """Return the share of this box's area that is within another box, 0 to 1."""
        return self._shared(other, self.area)

    def gap_to(self, other: Box) -> float:
        """Return the width of the gap between two boxes along the axis that separates them more, 0 if they overlap."""
        across = max(self.x - other.x - other.width, other.x - self.x - self.width)
        down = max(self.y - other.y - other.height, other.y - self.y - self.height)
        return max(across, down, 0.0)

    def _shared(self, other: Box, area: float) -> float:
        width = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        height = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(0.0, width) * max(0.0, height) / area if area > 0 else 0.0


@dataclass(frozen=True, slots=True)
class CropSpec:
    """Square crop relative to a head or box, in units of its size: eye distances of a head, sides of a box.

    Attributes:
        side: length of the square's side, in that unit.
        size: side of the resulting image, pixels.
        outward: offset of the centre towards the examined side of the head, in that unit.
        upward: offset of the centre upwards, in that unit.
        degrees: rotation, clockwise in the image.
        continued: True to repeat the outermost pixels beyond the image's border, instead of grey.
    """

    side: float
    size: int
    outward: float = 0.0
    upward: float = 0.0
    degrees: float = 0.0
    mirrored: bool = False
    continued: bool = False

    def cut(self, image: Image, centre: tuple[float, float], unit_px: float, lean_degrees: float = 0.0) -> Crop:
        """Cut the crop around a centre, pixels.

        Args:
            unit_px: the spec's unit, pixels.
            lean_degrees: lean to the image's right, which is undone.
        """
        lean, rightward = np.radians(self.degrees + lean_degrees), -1 if self.mirrored else 1
        axes = np.array([[rightward * np.cos(lean), -np.sin(lean)], [rightward * np.sin(lean), np.cos(lean)]])
        axes *= self.side * unit_px / self.size
        matrix = np.column_stack([axes, np.asarray(centre) - axes @ np.full(2, self.size / 2)])
        return Crop(_warped(image, matrix, self.size, continued=self.continued), matrix)


GREY = (128, 128, 128)
"""Colour beyond the image's border."""


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """Square crop of an image, with its map to the image.

    Attributes:
        image: the pixels, shape (size, size, 3).
        matrix: the affine map, shape (2, 3), from pixels of the crop to those of the whole image.
    """

    image: Image
    matrix: npt.NDArray[np.float64]

    @property
    def scale(self) -> float:
        """Number of pixels of the crop per pixel of the whole image."""
        return 1 / float(np.linalg.norm(self.matrix[:, 0]))

    def to_whole(self, points: Coordinates) -> Coordinates:
        """Map points of the crop, shape (n, 2 or 3), to the whole image."""
        moved = points / points.dtype.type(self.scale)
        moved[:, :2] = points[:, :2] @ self.matrix[:, :2].T + self.matrix[:, 2]
        return moved

    def directions_to_whole(self, directions: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Map directions in the crop, shape (n, 2), to the whole image."""
        return directions @ self.matrix[:, :2].T * self.scale


def _warped(image: Image, matrix: npt.NDArray[np.float64], size: int, *, continued: bool) -> Image:
    """Cut a crop by one affine warp. The image is first shrunk by area to avoid aliasing."""
    axes = matrix[:, :2]
    corners = axes @ np.array([[0, 0, size, size], [0, size, 0, size]]) + matrix[:, 2:]
    factor = int(np.linalg.norm(axes[:, 0]))  # down to one half, linear interpolation still reads every pixel
    (left, right), (top, bottom) = (
        _stretch(float(low), float(high), whole, factor + 1)
        for low, high, whole in zip(corners.min(1), corners.max(1), image.shape[1::-1], strict=True)
    )
    source, factor = _shrunk(image[top:bottom, left:right], factor)
    first = matrix @ np.array([0.5, 0.5, 1.0])  # centre of the crop's first pixel
    indices = np.column_stack([axes / factor, (first - (left, top)) / factor - 0.5])
    cut = cv2.warpAffine(
        source,
        indices,
        (size, size),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE if continued else cv2.BORDER_CONSTANT,
        borderValue=GREY,
    )
    return np.asarray(cut, np.uint8)


def _stretch(begin: float, end: float, whole: int, margin: int) -> tuple[int, int]:
    """Return the range of pixels of one axis, with a margin at each end, at least one."""
    first = min(max(int(begin) - margin, 0), whole - 1)
    return first, min(max(int(end) + margin + 1, first + 1), whole)


def _shrunk(image: Image, factor: int) -> tuple[Image, int]:
    """Return an image shrunk by area, and the factor, a whole number, which is many times as fast as a fraction."""
    factor = min(factor, *image.shape[:2])
    if factor <= 1:
        return image, 1
    rows, columns = (length // factor for length in image.shape[:2])
    whole = image[: rows * factor, : columns * factor]
    return np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8), factor


def shrink(image: Image, longest_px: int) -> tuple[Image, float]:
    """Shrink a colour or grey image by area interpolation until its longer side has at most a length.

    It is shrunk by a whole factor first, which is many times as fast as by a fraction, and then by the rest.

    Returns:
        the image, unchanged if it is small enough, and its scale relative to the given image, up to 1.
    """
    scale = longest_px / max(image.shape[:2])
    if scale >= 1:
        return image, 1.0
    nearly, factor = _shrunk(image, int(1 / scale))
    rest = scale * factor
    return np.asarray(cv2.resize(nearly, None, fx=rest, fy=rest, interpolation=cv2.INTER_AREA), np.uint8), scale
