"""Face mesh of one detected face, and the confidence of our face network in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.detections import FaceLandmarks
from bunnymoose_cv.vision.faces.face_refiner import face_of, matches_face, refine_face, tilt_degrees
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.faces.mean_mesh import fit_mean_mesh
from bunnymoose_cv.vision.faces.tiles import same_box
from bunnymoose_cv.vision.geometry import Box, CropSpec
from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.detections import FaceDetection, FacePose
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers


FACE_CROPS = (CropSpec(2.0, 512), CropSpec(1.4, 512), CropSpec(3.0, 512))
"""Crops of a detected face, in sides of its box, tried until a mesh is found; nine in ten are found by the first."""

AGAIN_CROP = CropSpec(1.8, 512)
"""Crop around the mesh that was found first."""


@dataclass(frozen=True, slots=True, eq=False)
class HeadCandidate:
    """Head with its fitted mesh, and the confidence of both face networks.

    Attributes:
        detector_confidence: of MediaPipe's detector.
        face_net_confidence: of our own network.
    """

    head: Head
    detector_confidence: float
    face_net_confidence: float

    @property
    def likelihood(self) -> float:
        """Confidence that it is a face, by the surer detector."""
        return max(self.detector_confidence, self.face_net_confidence)


def read_head(landmarkers: Landmarkers, image: Image, found: FaceDetection) -> HeadCandidate | None:
    """Fit the mesh of a detected face; None where the crops show none."""
    head = head_in(landmarkers, image, found.box)
    if head is None:
        return None
    face = refine_face(landmarkers.face_net, image, face_of(head))
    misaligned = face.confidence >= FACES.own_confidence and not matches_face(head, face)
    return HeadCandidate(replace(head, misaligned=misaligned), found.confidence, face.confidence)


def mesh_on_face(landmarkers: Landmarkers, image: Image, face: FacePose) -> Head:
    """Fit MediaPipe's mesh to a face of our network; the mean mesh where it misses the eyes."""
    mean = fit_mean_mesh(face)
    for spec in FACE_CROPS:
        mesh = _fit_in_crop(landmarkers, image, mean.box, spec, tilt_degrees(face))
        if mesh is not None and matches_face(head := Head(mesh), face):
            return head
    return mean


def head_in(landmarkers: Landmarkers, image: Image, box: Box) -> Head | None:
    """Fit the mesh in a box, then once more around the first fit; None where there is none."""
    face = mesh_at(landmarkers, image, box, FACE_CROPS)
    if face is None:
        return None
    return Head(mesh_at(landmarkers, image, Box.around(face.points), [AGAIN_CROP]) or face)


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
