"""Geometry of the trainings: rotations of points, affine maps between crops, fitted similarities."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

Points = TypeVar("Points", bound="npt.NDArray[np.floating[Any]]")
Array: TypeAlias = npt.NDArray[np.float64]


def rotated(points: Points, plane: tuple[int, int], radians: float | Array) -> Points:
    """Rotate points around the origin.

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


def rotation(radians: float) -> Array:
    """Return the matrix that turns image points clockwise, shape (2, 2)."""
    cosine, sine = math.cos(radians), math.sin(radians)
    return np.array([[cosine, -sine], [sine, cosine]])


def leading(linear: Array, source: Sequence[float] | Array, target: Sequence[float] | Array) -> Array:
    """Return the affine map, shape (2, 3), with a given linear part, that maps one point to another."""
    return np.column_stack([linear, np.asarray(target) - linear @ np.asarray(source)])


def similarity(points: Array, target: Array, weights: Array, *, mirrored: bool) -> tuple[Array, float]:
    """Fit the similarity from points to target by least squares. Return its linear part and the weighted RMS error.

    Source: Umeyama, "Least-squares estimation of transformation parameters" (1991).
    """
    flip = np.diag([-1.0 if mirrored else 1.0, 1.0])
    share = weights / weights.sum()
    own = (points - share @ points) @ flip
    wanted = target - share @ target
    left, values, right = np.linalg.svd((share[:, None] * wanted).T @ own)
    turn = np.diag([1.0, np.sign(np.linalg.det(left @ right))])
    scale = (values * np.diag(turn)).sum() / (share[:, None] * own**2).sum()
    axes = scale * left @ turn @ right
    error = np.sqrt((share * ((own @ axes.T - wanted) ** 2).sum(1)).sum())
    return axes @ flip, float(error)
