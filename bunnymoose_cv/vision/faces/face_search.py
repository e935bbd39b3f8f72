"""Face search: one look at the whole image, and a mesh on each face that is found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.faces.face_mesh import read_head
from bunnymoose_cv.vision.faces.face_refiner import pose_of, refine_face
from bunnymoose_cv.vision.settings import FACES
from bunnymoose_cv.vision.suppress import keep_first

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import PeopleSettings
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.nets.face_detector import DetectedFace
    from bunnymoose_cv.vision.nets.worker_pool import Workers


def find_heads(image: Image, workers: Workers, settings: PeopleSettings) -> tuple[Head, ...]:
    """Find the heads from left to right; a face far smaller than the largest is not a player's.

    If nobody is surely seen, as in the dark, our face network chooses the likeliest face.
    """
    possible = workers.face_detector.find(image, min(FACES.possible, settings.sure_face))
    sure = [face for face in possible if face.score >= settings.sure_face]
    heads = _fit_meshes(sure, image, workers) if sure else _likeliest(possible, image, workers)
    return _players(heads, heads, settings)


def _likeliest(faces: Sequence[DetectedFace], image: Image, workers: Workers) -> list[Head]:
    """Return the head of the face that our face network is surest of; none if it confirms none."""
    seen = workers.map(lambda own, face: refine_face(own.face_net, image, pose_of(face), looks=2), faces)
    best, pose = max(zip(faces, seen, strict=True), key=lambda each: each[1].confidence, default=(None, None))
    if best is None or pose is None or pose.confidence < FACES.own_confidence:
        return []
    return [replace(head, sure=pose.confidence >= FACES.confirmed) for head in _fit_meshes([best], image, workers)]


def find_newcomers(
    image: Image, faces: Iterable[DetectedFace], known: Sequence[Head], workers: Workers, settings: PeopleSettings
) -> tuple[Head, ...]:
    """Find the heads among detected faces that are not known yet.

    Args:
        known: heads of this moment.
    """
    unknown = [face for face in faces if not any(head.overlaps(face.box) for head in known)]
    heads = _fit_meshes(unknown, image, workers)
    newcomers = [head for head in heads if not any(head.overlaps(other.box) for other in known)]
    return _players(newcomers, [*known, *newcomers], settings)


def _fit_meshes(faces: Sequence[DetectedFace], image: Image, workers: Workers) -> list[Head]:
    """Return the heads of detected faces, the surest first; those without a mesh or too small are dropped."""
    wide = [face for face in faces if face.box.width >= FACES.smallest_px]
    heads = [head for head in workers.map(lambda own, face: read_head(own, image, face), wide) if head is not None]
    return keep_first(heads, lambda head, other: head.overlaps(other.box))


def _players(heads: Sequence[Head], everybody: Sequence[Head], settings: PeopleSettings) -> tuple[Head, ...]:
    """Return those heads from left to right that are large enough beside everybody's."""
    smallest = settings.smallest_face * max((head.eye_distance for head in everybody), default=0.0)
    return tuple(sorted((head for head in heads if head.eye_distance >= smallest), key=lambda head: head.centre[0]))
