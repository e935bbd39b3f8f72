"""Heads of an earlier frame, found again near their old place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.faces.face_mesh import SMOOTHED, FaceLook, mesh_at, mesh_on_face
from bunnymoose_cv.vision.faces.face_refiner import face_of, is_misaligned, matches_face, refine_face
from bunnymoose_cv.vision.settings import FACES
from bunnymoose_cv.vision.suppress import suppress

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
    from bunnymoose_cv.vision.nets.worker_pool import Workers


FOLLOWING_LOOKS = (FaceLook(2.0), FaceLook(2.0, SMOOTHED), FaceLook(2.0, SMOOTHED, 20), FaceLook(2.0, SMOOTHED, -20))
"""Crop of a followed face: a head that leans aside stays in it."""


def follow_heads(
    picture: Picture,
    heads: Sequence[Head],
    workers: Workers,
    resting: Collection[Head] = (),
    still: Collection[Head] = (),
) -> tuple[Head, ...]:
    """The heads of an earlier picture where they are now; whoever is no longer there is left out, nobody is added.

    Far quicker than `find_heads`, which searches the whole picture.

    Args:
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        heads: where they were, at most some tenths of a second ago.
        workers: who looks.
        resting: those of the heads at which MediaPipe's mesh is taken at its word this time, if there is one.
        still: those that are taken to be where they were.
    """
    rests = {head for head in resting if head.sure and not head.mean_mesh}
    moving = [head for head in heads if head not in still]
    followed = workers.map(lambda own, head: _followed(own, picture, head, rests=head in rests), moving)
    found = [*(head for head in followed if head is not None), *(head for head in heads if head in still)]
    kept = suppress(found, lambda _: 0.0, lambda head, other: head.box.overlap(other.box) > FACES.same_overlap)
    return tuple(sorted(kept, key=lambda head: head.centre[0]))


def _followed(landmarkers: Landmarkers, picture: Picture, head: Head, *, rests: bool) -> Head | None:
    mesh = mesh_at(landmarkers, picture, head.box, FOLLOWING_LOOKS)
    followed = head if mesh is None else replace(head, face=mesh)
    if rests and mesh is not None:
        return followed
    face = refine_face(landmarkers.our_faces, picture, face_of(followed))
    if face.confidence >= FACES.own_confidence:
        own = mesh is not None and matches_face(followed, face)
        if own:
            return replace(followed, mean_mesh=False, misaligned=is_misaligned(followed, face))
        return mesh_on_face(landmarkers, picture, face)
    return None if mesh is None else followed
