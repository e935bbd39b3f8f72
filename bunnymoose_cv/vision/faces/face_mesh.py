"""Face mesh of one detected face."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.detections import FaceLandmarks
from bunnymoose_cv.vision.faces.face_refiner import matches_face, pose_of, refine_face, tilt_degrees
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.faces.mean_mesh import fit_mean_mesh
from bunnymoose_cv.vision.geometry import Box, CropSpec
from bunnymoose_cv.vision.settings import FACES
from bunnymoose_cv.vision.suppress import same_box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.detections import FacePose
    from bunnymoose_cv.vision.nets.face_detector import DetectedFace
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers


FACE_CROPS = (CropSpec(2.0, 512), CropSpec(1.4, 512), CropSpec(3.0, 512))
"""Crops of a detected face, in sides of its box, tried until a mesh is found; nine in ten are found by the first."""

MESH_SIDE, MESH_CENTRE = 0.8, 0.56
"""Side and centre of the square in which a mesh is fitted, in heights of the detected face from its top."""


def read_head(landmarkers: Landmarkers, image: Image, found: DetectedFace) -> Head | None:
    """Fit a mesh to a detected face; None if MediaPipe and our face network see none there.

    Our network finds faces in the dark, from the side or upside down that MediaPipe's mesh misses.
    """
    head = head_in(landmarkers, image, _mesh_box(found.box))
    if head is None:
        face = refine_face(landmarkers.face_net, image, pose_of(found), looks=2)
        head = mesh_on_face(landmarkers, image, face) if face.confidence >= FACES.own_confidence else None
    return None if head is None else replace(head, score=found.score)


def _mesh_box(box: Box) -> Box:
    """Return the square from the brows to the chin of a detected face, which MediaPipe's mesh expects."""
    side = MESH_SIDE * box.height
    return Box(box.centre[0] - side / 2, box.y + MESH_CENTRE * box.height - side / 2, side, side)


def mesh_on_face(landmarkers: Landmarkers, image: Image, face: FacePose) -> Head:
    """Fit MediaPipe's mesh to a face of our network; the mean mesh where it misses the eyes."""
    mean = fit_mean_mesh(face)
    for spec in FACE_CROPS:
        mesh = _fit_in_crop(landmarkers, image, mean.box, spec, tilt_degrees(face))
        if mesh is not None and matches_face(head := Head(mesh), face):
            return head
    return mean


def head_in(landmarkers: Landmarkers, image: Image, box: Box) -> Head | None:
    """Fit the mesh in a box; None if no crop shows one."""
    face = mesh_at(landmarkers, image, box, FACE_CROPS)
    return None if face is None else Head(face)


def mesh_at(landmarkers: Landmarkers, image: Image, box: Box, crops: Sequence[CropSpec]) -> FaceLandmarks | None:
    """Fit the mesh in the first crop that shows one at the box; a neighbour's or a lens is rejected."""
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
