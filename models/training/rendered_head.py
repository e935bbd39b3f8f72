"""How MediaPipe's mesh would lie on a rendered head, by its truth: where it lies elsewhere. Owns no pictures."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.transform import Rotation

from bunnymoose_cv.vision.face_net import SeenFace
from bunnymoose_cv.vision.our_faces import laid_on

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.vision.head import Head

MESH_NODS = 4.7
"""MediaPipe's mesh sees a rendered head look down by so many degrees more than its bones do (mean of 93 heads)."""


def axes_of(truth: dict[str, Any]) -> npt.NDArray[np.float64]:
    """What lies in the picture of a head's unit vectors forward and up, as a mesh sees them, shape (2, 2).

    A lens near the head sees it turned by some degrees more or less.
    """
    camera = truth["camera"]
    nod, turn, tilt, azimuth, elevation = np.radians([*truth["head_turn_deg"], camera["azimuth"], camera["elevation"]])
    turns = (("x", elevation), ("y", -azimuth), ("z", tilt), ("y", turn), ("x", nod + np.radians(MESH_NODS)))
    frame = Rotation.concatenate([Rotation.from_euler(*one) for one in turns])
    whole = reduce(lambda one, other: one * other, frame).as_matrix()
    return np.array([[whole[0, column], -whole[1, column]] for column in (2, 1)])


def laid_by_truth(eyes: npt.NDArray[np.float64], axes: npt.NDArray[np.float64]) -> Head:
    """A usual mesh on the true eyes, left one first, in pixels: as the reader lays it where our own net sees a face."""
    return laid_on(SeenFace(eyes, axes, 1.0))
