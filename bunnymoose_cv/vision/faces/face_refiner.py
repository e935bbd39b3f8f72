"""Face refiner: our face network, which confirms MediaPipe's faces and finds those in the dark that it misses."""

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
    from bunnymoose_cv.vision.nets.face_pose_net import FaceNet


WINDOW: Final = 4.4
"""Side of the crop in which a face is refined, in eye distances."""

_CLOSE: Final = CropSpec(WINDOW, SIZE)


def face_in_tile(net: FaceNet, image: Image, centre: tuple[float, float], side: float) -> FacePose:
    """The likeliest face in a square of an image, in that image's pixels."""
    return _find_pose(net, Crop.cut(image, centre, side, SIZE))


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


def matches_face(head: Head, face: FacePose) -> bool:
    """Tell if a mesh lies on the eyes that our face network sees."""
    apart = float(np.linalg.norm(face_of(head).eyes - face.eyes, axis=1).mean())
    return apart <= FACES.beside * distance_of(face)


def same_eyes(one: FacePose, other: FacePose) -> bool:
    """Tell if two detections of the face network show one face."""
    apart = np.linalg.norm(one.eyes.mean(0) - other.eyes.mean(0))
    return bool(apart < max(distance_of(one), distance_of(other)))
