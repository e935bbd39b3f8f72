"""Tracking of heads: the mesh is fitted again near its earlier place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.faces.face_mesh import mesh_at
from bunnymoose_cv.vision.faces.face_refiner import face_of, refine_face
from bunnymoose_cv.vision.faces.mean_mesh import fit_mean_mesh
from bunnymoose_cv.vision.geometry import CropSpec
from bunnymoose_cv.vision.settings import FACES
from bunnymoose_cv.vision.suppress import suppress

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
    from bunnymoose_cv.vision.nets.worker_pool import Workers


FOLLOWING_CROPS = (CropSpec(2.0, 512),)
"""Crop of a followed face, in sides of its box: a head that leans aside stays in it."""


def follow_heads(
    image: Image, heads: Sequence[Head], workers: Workers, fixed: Collection[Head] = ()
) -> tuple[Head, ...]:
    """Track the heads of an earlier image; lost ones are left out, none is added.

    Far quicker than `find_heads`, which searches the whole image.

    Args:
        heads: where they were, at most some tenths of a second ago.
        fixed: those that are not located again.
    """
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
