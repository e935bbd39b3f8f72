"""Face mesh of one head: fitted by MediaPipe, checked by our face network, or the mean mesh if that misses a face.

In the dark, from the side or upside down, our network finds faces that MediaPipe's mesh misses.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.vision.detections import FaceLandmarks, FacePose, same_box
from bunnymoose_cv.vision.faces.head import LEFT_EYE, RIGHT_EYE, Head
from bunnymoose_cv.vision.geometry import Box, CropSpec
from bunnymoose_cv.vision.nets.face_nets import SIZE
from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.nets.face_nets import DetectedFace, FaceNet
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers


def fit_mean_mesh(face: FacePose) -> Head:
    """Fit the mean mesh to the eyes and axes of the face network."""
    left, up, forward = _frame(face)
    points = _mean_mesh() @ (distance_of(face) * np.stack([left, up, forward]))
    points[:, :2] += face.eyes.mean(0)
    return Head(FaceLandmarks(points.astype(np.float32)), mean_mesh=True)


def _frame(face: FacePose) -> npt.NDArray[np.float64]:
    """Return unit vectors in space as rows: to the player's left, up, and forward (towards the camera)."""
    forward, up = (_in_space(axis) for axis in face.axes)
    forward[2] *= -1
    up[2] = -(forward[:2] @ up[:2]) / min(forward[2], -0.2)
    up -= forward * (up @ forward)
    up /= np.linalg.norm(up)
    return np.stack([np.cross(up, forward), up, forward])


def _in_space(axis: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a unit vector in space from its projection into the image."""
    flat = axis / max(1.0, float(np.linalg.norm(axis)))
    return np.append(flat, np.sqrt(max(0.0, 1 - float(flat @ flat))))


def distance_of(face: FacePose) -> float:
    """Return the eye distance in space, pixels."""
    across = float(np.linalg.norm(_frame(face)[0, :2]))
    return float(np.linalg.norm(face.eyes[0] - face.eyes[1])) / max(across, 0.5)


@cache
def _mean_mesh() -> npt.NDArray[np.float64]:
    """Load the mean mesh in the head's axes (leftward, upward, forward of the eyes' middle), eye distances."""
    return np.asarray(np.load(bundled("models/face_mesh.npy")), np.float64)


WINDOW: Final = 4.4
"""Side of the crop in which a face is refined, in eye distances."""

_CLOSE: Final = CropSpec(WINDOW, SIZE)


def pose_of(face: DetectedFace) -> FacePose:
    """Return the eyes and rough axes of a detected face."""
    right_eye, left_eye, _, *mouth = face.points.astype(np.float64)
    up = (left_eye + right_eye) / 2 - np.mean(mouth, 0)
    return FacePose(np.stack([left_eye, right_eye]), np.stack([np.zeros(2), up / np.linalg.norm(up)]), face.score)


def refine_face(net: FaceNet, image: Image, face: FacePose, looks: int = 1) -> FacePose:
    """Refine a face in an upright crop of the size that suits the network best, in one or more passes."""
    for _ in range(looks):
        x, y = map(float, face.eyes.mean(0))
        crop = _CLOSE.cut(image, (x, y), max(distance_of(face), 1.0), tilt_degrees(face))
        (found,) = net.faces([crop.image])
        face = FacePose(crop.to_whole(found.eyes), crop.directions_to_whole(found.axes), found.confidence)
    return face


def tilt_degrees(face: FacePose) -> float:
    """Return the tilt of the head in the image, degrees, positive to the image's right."""
    return float(np.degrees(np.arctan2(face.axes[1, 0], -face.axes[1, 1])))


def face_of(head: Head) -> FacePose:
    """Return the eyes and axes of a head, in the form of the face network's output."""
    eyes = np.stack([head.face.points[points, :2].mean(0) for points in (LEFT_EYE, RIGHT_EYE)])
    return FacePose(eyes.astype(np.float64), head.forward_and_up, 1.0)


def matches_face(head: Head, face: FacePose, farthest: float = FACES.beside) -> bool:
    """Return whether a mesh fits the eyes that one of our networks sees, within a mean distance in eye distances."""
    apart = float(np.linalg.norm(face_of(head).eyes - face.eyes, axis=1).mean())
    return apart <= farthest * distance_of(face)


FACE_CROPS = (CropSpec(2.0, 512), CropSpec(1.4, 512), CropSpec(3.0, 512))
"""Crops of a detected face, in sides of its box, tried until a mesh is found. The first finds nine in ten."""

MESH_SIDE, MESH_CENTRE = 0.8, 0.56
"""Side and centre of the square in which a mesh is fitted, in heights of the detected face from its top."""


def read_head(landmarkers: Landmarkers, image: Image, found: DetectedFace) -> Head | None:
    """Fit a mesh to a detected face, or return None if neither MediaPipe nor our face network sees a face there."""
    head = head_in(landmarkers, image, _brows_to_chin(found.box))
    if head is None:
        face = refine_face(landmarkers.face_net, image, pose_of(found), looks=2)
        head = mesh_on_face(landmarkers, image, face) if face.confidence >= FACES.own_confidence else None
    return None if head is None else replace(head, score=found.score)


def read_in_first_crop(landmarkers: Landmarkers, image: Image, found: DetectedFace) -> Head | None:
    """Fit a mesh to a detected face in one crop only, or return None."""
    mesh = mesh_at(landmarkers, image, _brows_to_chin(found.box), FACE_CROPS[:1])
    return None if mesh is None else replace(Head(mesh), score=found.score)


def _brows_to_chin(box: Box) -> Box:
    """Return the square in a detected face in which a mesh is fitted."""
    side = MESH_SIDE * box.height
    return Box(box.centre[0] - side / 2, box.y + MESH_CENTRE * box.height - side / 2, side, side)


def mesh_on_face(landmarkers: Landmarkers, image: Image, face: FacePose) -> Head:
    """Fit MediaPipe's mesh to a face of our network, or the mean mesh if MediaPipe's misses the eyes."""
    mean = fit_mean_mesh(face)
    for spec in FACE_CROPS:
        mesh = _fit_in_crop(landmarkers, image, mean.box, spec, tilt_degrees(face))
        if mesh is not None and matches_face(head := Head(mesh), face):
            return head
    return mean


def head_in(landmarkers: Landmarkers, image: Image, box: Box) -> Head | None:
    """Fit the mesh in a box, or return None if no crop shows a face."""
    face = mesh_at(landmarkers, image, box, FACE_CROPS)
    return None if face is None else Head(face)


def mesh_at(landmarkers: Landmarkers, image: Image, box: Box, crops: Sequence[CropSpec]) -> FaceLandmarks | None:
    """Fit the mesh in the first crop that shows a face at the box. A neighbour's face or a lens is rejected."""
    for spec in crops:
        face = _fit_in_crop(landmarkers, image, box, spec)
        if face is not None and same_box(Box.around(face.points), box):
            return face
    return None


def _fit_in_crop(
    landmarkers: Landmarkers, image: Image, box: Box, spec: CropSpec, degrees: float = 0.0
) -> FaceLandmarks | None:
    crop = spec.cut(image, box.centre, max(box.width, box.height), degrees)
    face = landmarkers.face(crop.image)
    return None if face is None else FaceLandmarks(crop.to_whole(face.points))
