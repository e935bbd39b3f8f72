"""Face mesh of one detected face, verified and refined.

MediaPipe's mesh counts where our face network agrees; elsewhere another crop or the mean mesh takes over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.vision.detections import FaceLandmarks, FoundFace
from bunnymoose_cv.vision.faces.face_refiner import (
    face_of,
    is_misaligned,
    is_part_of_a_face,
    matches_face,
    refine_face,
    refine_face_by_views,
    tilt_degrees,
)
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.faces.mean_mesh import fit_mean_mesh
from bunnymoose_cv.vision.faces.tiles import DETECTOR_SIZE, detect_in_tile, same_box, smooth
from bunnymoose_cv.vision.geometry import Box, Crop
from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.core.profile import PeopleLimits
    from bunnymoose_cv.vision.detections import SeenFace
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers


@dataclass(frozen=True, slots=True)
class FaceLook:
    """A square to read a face in, around a box in which one may be.

    Attributes:
        margin: its side, in sides of the box.
        smoothed: how far its pixels run into each other, as a share of its side: a dim camera's noise hides a face.
        turned: degrees by which it is turned counter-clockwise.
    """

    margin: float
    smoothed: float = 0.0
    turned: float = 0.0


FACE_CROP = 512
SMOOTHED = 0.01
PLAIN_LOOKS = (FaceLook(2.0), FaceLook(1.4), FaceLook(3.0))
SMOOTH_LOOKS = (FaceLook(2.0, SMOOTHED), FaceLook(3.0, SMOOTHED))
FACE_LOOKS = (
    *PLAIN_LOOKS,
    *SMOOTH_LOOKS,
    FaceLook(3.0, SMOOTHED, 20),
    FaceLook(3.0, SMOOTHED, -20),
    FaceLook(2.0, SMOOTHED, 20),
    FaceLook(2.0, SMOOTHED, -20),
)
"""Crops of a detected face, tried until a mesh is found; nine in ten are found by the plain ones."""


AGAIN_LOOKS = (FaceLook(1.8), FaceLook(1.8, SMOOTHED))
"""Crop around the mesh that was found first."""

CONFIDENCE_MARGINS = (1.6, 2.2, 3.0)
"""In squares of these sides, in sides of a mesh's box, the detector is asked whether there is a face."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenHead:
    """A head whose mesh was read.

    Attributes:
        head: where the mesh lies.
        confidence: how sure MediaPipe's detector is of a face at that very place; 0 where it was not asked.
        ours: how sure our own net is.
    """

    head: Head
    confidence: float
    ours: float

    @property
    def likelihood(self) -> float:
        """Confidence that it is a face, by the surer detector."""
        return max(self.confidence, self.ours)


def read_head(landmarkers: Landmarkers, picture: Picture, found: FoundFace, limits: PeopleLimits) -> SeenHead | None:
    """The head of a found face, with how sure the detector is of a face right there."""
    looks = FACE_LOOKS if found.confidence >= FACES.promising else PLAIN_LOOKS
    head = head_in(landmarkers, picture, found.box, looks)
    if head is None:
        return None
    confidence = _confidence(landmarkers, picture, head.box, limits.sure_face)
    face = refine_face(landmarkers.our_faces, picture, face_of(head))
    if face.confidence >= FACES.own_confidence and not _is_whole_face(landmarkers, picture, head, face):
        head = mesh_on_face(landmarkers, picture, face)
    else:
        head = replace(head, misaligned=is_misaligned(head, face))
    return SeenHead(head, confidence, face.confidence)


def _is_whole_face(landmarkers: Landmarkers, picture: Picture, head: Head, face: SeenFace) -> bool:
    """Tell if a mesh lies on the face that our network sees there, and on no larger one."""
    return matches_face(head, face) and not is_part_of_a_face(landmarkers.our_faces, picture, face_of(head))


def mesh_on_face(landmarkers: Landmarkers, picture: Picture, face: SeenFace) -> Head:
    """The head of a face that our net sees: MediaPipe's mesh where it lies on the eyes, else the usual one."""
    face = refine_face_by_views(landmarkers.our_faces, picture, face)
    usual = fit_mean_mesh(face)
    for look in PLAIN_LOOKS + SMOOTH_LOOKS:
        mesh = _mesh(landmarkers, picture, usual.box, replace(look, turned=tilt_degrees(face)))
        if mesh is not None and matches_face(head := Head(mesh), face):
            return replace(head, misaligned=is_misaligned(head, face))
    return usual


def head_in(
    landmarkers: Landmarkers, picture: Picture, box: Box, looks: Sequence[FaceLook] = FACE_LOOKS
) -> Head | None:
    """The head whose face lies in a box: a first look around the box, a second one around what the first found.

    Args:
        landmarkers: of this thread.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        box: around the face, roughly; pixels.
        looks: how to look, until it is found.
    """
    face = mesh_at(landmarkers, picture, box, looks)
    if face is None:
        return None
    return Head(mesh_at(landmarkers, picture, Box.around(face.points), AGAIN_LOOKS) or face)


def mesh_at(landmarkers: Landmarkers, picture: Picture, box: Box, looks: Sequence[FaceLook]) -> FaceLandmarks | None:
    """The first mesh that any of the looks finds at a box; one elsewhere is a neighbour's, a small one a lens."""
    for look in looks:
        face = _mesh(landmarkers, picture, box, look)
        if face is not None and same_box(Box.around(face.points), box):
            return face
    return None


def _confidence(landmarkers: Landmarkers, picture: Picture, box: Box, sure: float) -> float:
    """Confidence of the detector in a face seen large and whole; the mesh itself never doubts.

    It looks thrice and the middle look counts, since an elbow may pass once; where it is not sure it looks at a
    smoothed picture, too.
    """
    return sorted(_surest(landmarkers, picture, box, margin, sure) for margin in CONFIDENCE_MARGINS)[1]


def _surest(landmarkers: Landmarkers, picture: Picture, box: Box, margin: float, sure: float) -> float:
    tile = box.centre, margin * max(box.width, box.height)
    surest = 0.0
    for smoothed in (0.0, SMOOTHED):
        faces = detect_in_tile(landmarkers, picture, tile, DETECTOR_SIZE, smoothed)
        surest = max([surest, *(face.confidence for face in faces if same_box(face.box, box))])
        if surest >= sure:
            break
    return surest


def _mesh(landmarkers: Landmarkers, picture: Picture, box: Box, look: FaceLook) -> FaceLandmarks | None:
    crop = Crop.cut(picture, box.centre, look.margin * max(box.width, box.height), FACE_CROP)
    turn = cv2.getRotationMatrix2D(((FACE_CROP - 1) / 2,) * 2, look.turned, 1.0)
    turned = cv2.warpAffine(crop.picture, turn, (FACE_CROP,) * 2, borderValue=GREY) if look.turned else crop.picture
    face = landmarkers.face(smooth(np.asarray(turned, np.uint8), look.smoothed))
    if face is None:
        return None
    points = face.points.copy()
    points[:, :2] = (points[:, :2] - turn[:, 2]) @ np.linalg.inv(turn[:, :2]).T
    return FaceLandmarks(crop.to_whole(points))


GREY = (128, 128, 128)
