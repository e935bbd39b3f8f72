"""Face search: detection in the whole image with a mesh on each face, or tracking of the heads of an earlier image."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.detections import keep_first, suppress
from bunnymoose_cv.vision.faces.face_mesh import (
    face_of,
    fit_mean_mesh,
    mesh_at,
    pose_of,
    read_head,
    read_in_first_crop,
    refine_face,
)
from bunnymoose_cv.vision.geometry import CropSpec
from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import PeopleSettings
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.nets.face_nets import DetectedFace
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
    from bunnymoose_cv.vision.nets.worker_pool import Workers


def find_heads(image: Image, workers: Workers, settings: PeopleSettings) -> tuple[Head, ...]:
    """Find the heads, from left to right. A face far smaller than the largest is not a player's.

    The workers fit the meshes of clear faces while the detector looks for the rest. If no face is surely seen, as in
    the dark, our face network chooses the likeliest one.
    """
    first = workers.face_detector.find_quick(image, FACES.possible)
    clear = [face for face in first if face.score >= FACES.doubtful]
    meshes = workers.begin(lambda own, face: read_head(own, image, face), clear)
    possible = workers.face_detector.find_rest(image, first)
    known = dict(zip(clear, meshes, strict=True))

    def fit(own: Landmarkers, image: Image, face: DetectedFace) -> Head | None:
        return known[face] if face in known else read_head(own, image, face)

    sure = [face for face in possible if face.score >= settings.sure_face]
    heads = _fit_meshes(sure, image, workers, fit) if sure else _likeliest(possible, image, workers)
    return _players(heads, heads, settings)


def _likeliest(faces: Sequence[DetectedFace], image: Image, workers: Workers) -> list[Head]:
    """Return the head of the face that our face network is surest of, or an empty list if it confirms none."""
    seen = workers.map(lambda own, face: refine_face(own.face_net, image, pose_of(face), looks=2), faces)
    best, pose = max(zip(faces, seen, strict=True), key=lambda each: each[1].confidence, default=(None, None))
    if best is None or pose is None or pose.confidence < FACES.own_confidence:
        return []
    return [replace(head, sure=pose.confidence >= FACES.confirmed) for head in _fit_meshes([best], image, workers)]


def find_newcomers(
    image: Image, faces: Iterable[DetectedFace], known: Sequence[Head], workers: Workers, settings: PeopleSettings
) -> tuple[Head, ...]:
    """Find the heads of detected faces that are not yet known in this image.

    A doubtful face, often a raised hand, has to show its mesh in the first crop; the next search tries more.
    """
    unknown = [face for face in faces if not any(head.overlaps(face.box) for head in known)]
    heads = _fit_meshes(unknown, image, workers, _glance_at)
    newcomers = [head for head in heads if not any(head.overlaps(other.box) for other in known)]
    return _players(newcomers, [*known, *newcomers], settings)


def _glance_at(landmarkers: Landmarkers, image: Image, face: DetectedFace) -> Head | None:
    """Fit a mesh to a newcomer's face."""
    return (read_head if face.score >= FACES.doubtful else read_in_first_crop)(landmarkers, image, face)


def _fit_meshes(
    faces: Sequence[DetectedFace],
    image: Image,
    workers: Workers,
    look: Callable[[Landmarkers, Image, DetectedFace], Head | None] = read_head,
) -> list[Head]:
    """Return the heads of detected faces, the surest first. Faces without a mesh or too small are dropped."""
    wide = [face for face in faces if face.box.width >= FACES.smallest_px]
    heads = [head for head in workers.map(lambda own, face: look(own, image, face), wide) if head is not None]
    return keep_first(heads, lambda head, other: head.overlaps(other.box))


def _players(heads: Sequence[Head], everybody: Sequence[Head], settings: PeopleSettings) -> tuple[Head, ...]:
    """Return the heads, from left to right, that are large enough compared with the largest."""
    smallest = settings.smallest_face * max((head.eye_distance for head in everybody), default=0.0)
    return tuple(sorted((head for head in heads if head.eye_distance >= smallest), key=lambda head: head.centre[0]))


FOLLOWING_CROPS = (CropSpec(2.0, 512),)
"""Crop of a followed face, in sides of its box, large enough for a head that leans aside."""


def follow_heads(
    image: Image, heads: Sequence[Head], workers: Workers, fixed: Collection[Head] = ()
) -> tuple[Head, ...]:
    """Track the heads of some tenths of a second ago; `fixed` ones are not located again, lost ones are dropped."""
    moving = [head for head in heads if head not in fixed]
    followed = workers.map(lambda own, head: _follow_head(own, image, head), moving)
    found = [*(head for head in followed if head is not None), *(head for head in heads if head in fixed)]
    kept = suppress(found, lambda head: float(head in fixed), lambda head, other: head.overlaps(other.box))
    return tuple(sorted(kept, key=lambda head: head.centre[0]))


def _follow_head(landmarkers: Landmarkers, image: Image, head: Head) -> Head | None:
    mesh = mesh_at(landmarkers, image, head.box, FOLLOWING_CROPS)
    if mesh is not None:
        return replace(head, face=mesh, mean_mesh=False)
    face = refine_face(landmarkers.face_net, image, face_of(head))
    return replace(fit_mean_mesh(face), sure=head.sure) if face.confidence >= FACES.own_confidence else None
