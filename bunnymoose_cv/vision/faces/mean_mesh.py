"""Mean face mesh, placed on a face that our network detected."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.vision.detections import FaceLandmarks, FacePose
from bunnymoose_cv.vision.faces.head import Head

if TYPE_CHECKING:
    import numpy.typing as npt


def fit_mean_mesh(face: FacePose) -> Head:
    """Fit the mean mesh to eyes and axes of the face network."""
    left, up, forward = _frame(face)
    points = _mean_mesh() @ (distance_of(face) * np.stack([left, up, forward]))
    points[:, :2] += face.eyes.mean(0)
    return Head(FaceLandmarks(points.astype(np.float32)), mean_mesh=True)


def _frame(face: FacePose) -> npt.NDArray[np.float64]:
    """Rows: unit vectors in space to the player's left, up, and forward; forward is towards the camera."""
    forward, up = (_in_space(axis) for axis in face.axes)
    forward[2] *= -1
    up[2] = -(forward[:2] @ up[:2]) / min(forward[2], -0.2)
    up -= forward * (up @ forward)
    up /= np.linalg.norm(up)
    return np.stack([np.cross(up, forward), up, forward])


def _in_space(axis: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Unit vector in space from its projection into the image."""
    flat = axis / max(1.0, float(np.linalg.norm(axis)))
    return np.append(flat, np.sqrt(max(0.0, 1 - float(flat @ flat))))


def distance_of(face: FacePose) -> float:
    """Eye distance in space, pixels."""
    across = float(np.linalg.norm(_frame(face)[0, :2]))
    return float(np.linalg.norm(face.eyes[0] - face.eyes[1])) / max(across, 0.5)


@cache
def _mean_mesh() -> npt.NDArray[np.float64]:
    """Mean mesh in the head's axes (leftward, upward, forward of the eyes' middle), eye distances."""
    return np.asarray(np.load(bundled("models/face_mesh.npy")), np.float64)
