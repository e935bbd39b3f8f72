"""Rotations of points about an axis, in the plane of the two others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

Points = TypeVar("Points", bound="npt.NDArray[np.floating[Any]]")


def rotated(points: Points, plane: tuple[int, int], radians: float | npt.NDArray[np.float64]) -> Points:
    """Points turned around the origin.

    Args:
        points: coordinates in the last axis.
        plane: numbers of the two coordinates that change; the first turns towards the second.
        radians: one angle for all, or one for each set of points, shape (n,) for points of shape (n, m, coordinates).
    """
    angle = np.asarray(radians)[..., None]
    cosine, sine = np.cos(angle), np.sin(angle)
    first, second = (points[..., axis] for axis in plane)
    turned = points.copy()
    turned[..., plane[0]], turned[..., plane[1]] = cosine * first - sine * second, sine * first + cosine * second
    return turned
