"""Gathering of faces, the training data of the face network: `python -m training.faces.faces`.

A wide crop around the face of every rendered player is stored with the true positions of the eyes. The axes of the head
are those of MediaPipe's mesh if the mesh agrees with these eyes, and otherwise those of the renderer. Faces of the
photographed groups of ../shared/real are added, with MediaPipe's eyes as labels; they stay in the work folder, since
photographs are not copied. New faces are packed as another part in `training/work/packed/faces/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.vision.geometry import CropSpec
from bunnymoose_cv.vision.nets.worker_pool import Workers
from training import paths
from training.gathering import Columns, Gathered, decoded, encoded, is_left_out
from training.manifest import record_models
from training.paths import MODELS
from training.players import eyes_of, gather, head_at, heads_of_groups, offset_of, rendered_players, shared_players

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.faces.head import Head
    from training.players import LabelledImage

WORK, PACKED = paths.WORK / "faces", paths.PACKED / "faces"
GROUPS = WORK.parent / "faces_of_groups.npz"

WINDOW, SIZE = 12.0, 272
"""Side of a stored crop, in eye distances and in pixels; its centre is the middle of the eyes."""

MESH_TOLERANCE = 0.15
"""Distance of the mesh's eyes from the true ones, in eye distances, up to which the axes of the mesh are used."""

MEDIAN_FACES = 200
"""Number of faces searched for meshes, of which `face_mesh.npy` is the median."""


@dataclass(frozen=True, slots=True, eq=False)
class Faces(Columns):
    """Crops around faces, as WebP, with their labels.

    Attributes:
        cuts: n crops.
        eyes: shape (n, 2, 2), the left and the right eye in the crop's pixels.
        axes: shape (n, 2, 2), image of the head's unit vectors forward and up; NaN if unknown.
        person: shape (n,), person id; never split between training and testing.
        name: shape (n,), name of the image.
    """

    cuts: list[bytes]
    eyes: npt.NDArray[np.float32]
    axes: npt.NDArray[np.float32]
    person: npt.NDArray[np.str_]
    name: npt.NDArray[np.str_]

    def images(self) -> list[Image]:
        """Return the crops, each of shape (SIZE, SIZE, 3)."""
        return decoded(self.cuts)


def _store() -> Gathered[Faces]:
    return Gathered(Faces, WORK, PACKED, lambda faces: faces.name)


def gathered_faces() -> tuple[Faces, Faces]:
    """Return the faces for training, which include photographed ones, and those of held-out people."""
    faces = _store().all(GROUPS)
    return faces.parted(np.array([is_left_out(person) for person in faces.person], bool))


def _face_of(
    image: Image, eyes: npt.NDArray[np.float64], axes: npt.NDArray[np.float64], person: str, name: str
) -> Faces:
    """Crop the face with these eyes and axes."""
    side = WINDOW * float(np.linalg.norm(eyes[0] - eyes[1]))
    middle_x, middle_y = map(float, eyes.mean(0))
    crop = CropSpec(side, SIZE).cut(image, (middle_x, middle_y), 1.0)
    eyes_in_crop = np.asarray((eyes - crop.matrix[:, 2]) * crop.scale, np.float32)
    axes32 = np.asarray(axes, np.float32)
    return Faces([encoded(crop.image)], eyes_in_crop[None], axes32[None], np.array([person]), np.array([name]))


def _axes_of(labelled: LabelledImage, head: Head | None) -> npt.NDArray[np.float64]:
    """Return the axes of a mesh that agrees with the true eyes, or else the true axes, shape (2, 2); NaN if unknown."""
    if head is not None and offset_of(head, labelled.eyes) <= MESH_TOLERANCE:
        return head.forward_and_up
    return np.full((2, 2), np.nan) if labelled.axes is None else labelled.axes


def _of_groups(workers: Workers) -> Faces:
    """Return the faces of the photographed groups."""
    return Faces.join(
        [
            _face_of(image, eyes_of(head), head.forward_and_up, f"group_{name}", name)
            for name, image, heads in heads_of_groups(workers)
            for head in heads
        ]
    )


def _median_mesh(workers: Workers) -> npt.NDArray[np.float32]:
    """Return the median of the meshes of clean rendered faces, in their heads' axes, shape (478, 3)."""
    meshes = []
    for labelled in list(shared_players())[:MEDIAN_FACES]:
        head = head_at(np.asarray(cv2.imread(str(labelled.path)), np.uint8), labelled.face, workers)
        if head is not None and offset_of(head, labelled.eyes) < MESH_TOLERANCE:
            meshes.append(head.mesh())
    return np.median(meshes, 0).astype(np.float32)


def main() -> None:
    """Gather missing faces, then pack them."""
    with Workers(1) as workers:

        def look(labelled: LabelledImage, image: Image) -> tuple[Faces]:
            axes = _axes_of(labelled, head_at(image, labelled.face, workers))
            return (_face_of(image, labelled.eyes, axes, labelled.person, labelled.name),)

        gather([*rendered_players(), *shared_players()], [_store()], look)
        print(f"packed {_store().pack()} more faces")
        np.save(MODELS / "face_mesh.npy", _median_mesh(workers))
        record_models()
        if not GROUPS.exists():
            _of_groups(workers).save(GROUPS)


if __name__ == "__main__":
    main()
