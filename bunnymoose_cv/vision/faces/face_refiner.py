"""Face refiner: our face network, which checks MediaPipe's meshes and finds faces in the dark that they miss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.vision.detections import FacePose
from bunnymoose_cv.vision.faces.head import LEFT_EYE, RIGHT_EYE
from bunnymoose_cv.vision.faces.mean_mesh import distance_of
from bunnymoose_cv.vision.geometry import Crop, CropSpec
from bunnymoose_cv.vision.nets.face_pose_net import SIZE
from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.nets.face_detector import DetectedFace
    from bunnymoose_cv.vision.nets.face_pose_net import FaceNet


WINDOW: Final = 4.4
"""Side of the crop in which a face is refined, in eye distances."""

_CLOSE: Final = CropSpec(WINDOW, SIZE)


def pose_of(face: DetectedFace) -> FacePose:
    """Return the eyes and rough axes of a detected face."""
    right_eye, left_eye, _, *mouth = face.points.astype(np.float64)
    up = (left_eye + right_eye) / 2 - np.mean(mouth, 0)
    return FacePose(np.stack([left_eye, right_eye]), np.stack([np.zeros(2), up / np.linalg.norm(up)]), face.score)


def refine_face(net: FaceNet, image: Image, face: FacePose, looks: int = 1) -> FacePose:
    """Refine a face in an upright crop of the size that suits the network best.

    Args:
        looks: how often, each time from where the last one saw it.
    """
    for _ in range(looks):
        x, y = map(float, face.eyes.mean(0))
        face = _find_pose(net, _CLOSE.cut(image, (x, y), max(distance_of(face), 1.0), tilt_degrees(face)))
    return face


def _find_pose(net: FaceNet, crop: Crop) -> FacePose:
    """The likeliest face of a crop, in pixels of the whole image."""
    found = net.faces([crop.image])[0]
    return FacePose(crop.to_whole(found.eyes), crop.directions_to_whole(found.axes), found.confidence)


def tilt_degrees(face: FacePose) -> float:
    """Tilt of the head in the image, degrees; positive to the image's right."""
    return float(np.degrees(np.arctan2(face.axes[1, 0], -face.axes[1, 1])))


def face_of(head: Head) -> FacePose:
    """Eyes and axes of a head, in the form of the face network."""
    eyes = np.stack([head.face.points[points, :2].mean(0) for points in (LEFT_EYE, RIGHT_EYE)])
    return FacePose(eyes.astype(np.float64), head.forward_and_up, 1.0)


def matches_face(head: Head, face: FacePose, farthest: float = FACES.beside) -> bool:
    """Return whether a mesh lies on the eyes that one of our networks sees.

    Args:
        farthest: threshold of the eyes' mean distance, in eye distances.
    """
    apart = float(np.linalg.norm(face_of(head).eyes - face.eyes, axis=1).mean())
    return apart <= farthest * distance_of(face)
