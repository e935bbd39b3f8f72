"""Rendered players → stored faces: what the face net learns from.

Run from a checkout: `python -m training.faces.faces`. Of every image a wide cut around the face is kept with
the true places of the eyes, and with the head's axes as MediaPipe's mesh has them where it lies on those eyes; where
it does not, as the renderer has them. The faces of the photographed groups of ../shared/real teach what real ones look
like, with MediaPipe's eyes as truth; they are kept in the work folder alone, for photographs are not copied.

One file an image is kept in `training/work/faces/`; what is there, or packed already, is not gathered again.
What is new is packed into one more part in `training/work/packed/faces/`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

import cv2
import numpy as np
import numpy.typing as npt
from rich.progress import track

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.faces.head import LEFT_EYE, RIGHT_EYE, Head
from bunnymoose_cv.vision.geometry import Crop
from bunnymoose_cv.vision.nets.worker_pool import Workers
from training import paths
from training.content_cache import save_arrays
from training.evaluate.datasets import RowKind, read_manifest
from training.headgear.examples import encoded, is_left_out
from training.headgear.gather import PLAYERS, head_at, offset_of, rendered_players, shared_players
from training.manifest import record_models
from training.paths import MODELS, SHARED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from training.headgear.gather import LabelledImage

WORK = paths.WORK / "faces"
PACKED = paths.PACKED / "faces"
GROUPS = WORK.parent / "faces_of_groups.npz"

WINDOW, SIZE = 12.0, 272
"""Side of a stored cut, in distances of the eyes in the image and in pixels; the eyes' middle is its middle."""

ON_THE_EYES = 0.15
"""Tolerance of the mesh's eyes against the true ones, in eye distances; within it its axes are taken for true."""


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Cuts around faces, as WebP, with what is known of each.

    Attributes:
        cuts: n of them.
        eyes: shape (n, 2, 2), the left and the right eye in the cut's pixels.
        axes: shape (n, 2, 2), what lies in the image of the head's unit vectors forward and up; NaN where unknown.
        person: shape (n,), who; never split between training and testing.
        name: shape (n,), the image.
    """

    cuts: list[bytes]
    eyes: npt.NDArray[np.float32]
    axes: npt.NDArray[np.float32]
    person: npt.NDArray[np.str_]
    name: npt.NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.cuts)

    @classmethod
    def join(cls, parts: Sequence[Faces]) -> Self:
        """All of several."""
        arrays = (np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)[1:])
        return cls([cut for part in parts for cut in part.cuts], *arrays)

    def take(self, rows: npt.NDArray[np.intp]) -> Faces:
        """Take the rows of these numbers."""
        return Faces([self.cuts[row] for row in rows], *(getattr(self, field.name)[rows] for field in fields(self)[1:]))

    def images(self) -> list[Image]:
        """The cuts, each of shape (SIZE, SIZE, 3)."""
        return [np.asarray(cv2.imdecode(np.frombuffer(cut, np.uint8), cv2.IMREAD_COLOR), np.uint8) for cut in self.cuts]

    def save(self, path: Path) -> None:
        """Keep them in a file."""
        known: dict[str, npt.NDArray[Any]] = {field.name: getattr(self, field.name) for field in fields(self)[1:]}
        lengths = np.array([len(cut) for cut in self.cuts], np.int64)
        save_arrays(path, {"pixels": np.frombuffer(b"".join(self.cuts), np.uint8), "lengths": lengths, **known})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load the faces from a file."""
        stored = np.load(path, allow_pickle=False)
        ends, pixels = np.cumsum(stored["lengths"]), stored["pixels"].tobytes()
        cuts = [pixels[end - length : end] for end, length in zip(ends, stored["lengths"], strict=True)]
        return cls(cuts, *(stored[field.name] for field in fields(cls)[1:]))


def face_of(
    image: Image, eyes: npt.NDArray[np.float64], axes: npt.NDArray[np.float64], person: str, name: str
) -> Faces:
    """The face with these eyes and axes."""
    side = WINDOW * float(np.linalg.norm(eyes[0] - eyes[1]))
    middle_x, middle_y = map(float, eyes.mean(0))
    crop = Crop.cut(image, (middle_x, middle_y), side, SIZE)
    own = np.asarray((eyes - crop.matrix[:, 2]) * crop.scale, np.float32)
    known = np.asarray(axes, np.float32)
    return Faces([encoded(crop.image)], own[None], known[None], np.array([person]), np.array([name]))


def axes_of(labelled: LabelledImage, head: Head | None) -> npt.NDArray[np.float64]:
    """Axes of a head: by a mesh on its eyes, else by the truth, if that has them; shape (2, 2)."""
    if head is not None and offset_of(head, labelled.eyes) <= ON_THE_EYES:
        return head.forward_and_up
    return np.full((2, 2), np.nan) if labelled.axes is None else labelled.axes


def left_out(faces: Faces) -> npt.NDArray[np.bool_]:
    """Mask of the faces of held-out people, who teach no net."""
    return np.array([is_left_out(person) for person in faces.person], bool)


def gather(images: Iterable[LabelledImage], packed: Iterable[str]) -> None:
    """Cut out every face that was not cut out yet."""
    there = {*packed, *(file.stem for file in WORK.glob("*.npz"))}
    missing = [one for one in images if one.name not in there]
    with Workers(1) as workers:
        for labelled in track(missing, description="Looking at faces"):
            image = np.asarray(cv2.imread(str(labelled.path)), np.uint8)
            axes = axes_of(labelled, head_at(image, labelled.face, workers))
            face_of(image, labelled.eyes, axes, labelled.person, labelled.name).save(WORK / f"{labelled.name}.npz")


def photographed() -> Iterator[Faces]:
    """The faces of the photographed groups."""
    manifest = read_manifest(SHARED / "real/manifest.csv")
    settings = load_settings().people
    with Workers(1) as workers:
        for row in manifest.rows:
            if row.kind is RowKind.GROUP:
                image = read_image(row.image)
                for head in find_heads(image, workers, settings):
                    eyes = np.stack([head.face.points[points, :2].mean(0) for points in (LEFT_EYE, RIGHT_EYE)])
                    axes, person = head.forward_and_up, f"group_{row.name}"
                    yield face_of(image, eyes.astype(np.float64), axes, person, row.name)


USUAL = 200
"""Number of faces whose mean is the usual mesh."""


def usual_mesh() -> npt.NDArray[np.float32]:
    """The middle one of the meshes of clean rendered faces, in their heads' axes, shape (478, 3)."""
    meshes = []
    with Workers(1) as workers:
        for labelled in list(shared_players())[:USUAL]:
            image = np.asarray(cv2.imread(str(labelled.path)), np.uint8)
            head = head_at(image, labelled.face, workers)
            if head is not None and offset_of(head, labelled.eyes) < ON_THE_EYES:
                meshes.append(head.mesh())
    return np.median(meshes, 0).astype(np.float32)


def packed_faces() -> Faces:
    """All faces that are packed."""
    return Faces.join(_packed_parts())


def _packed_parts() -> list[Faces]:
    return [Faces.load(file) for file in sorted(PACKED.glob("*.npz"))]


def main() -> None:
    """Gather what is not there yet, then pack."""
    PACKED.mkdir(parents=True, exist_ok=True)
    known = {name for part in _packed_parts() for name in part.name}
    gather([*rendered_players(PLAYERS), *shared_players()], known)
    if added := [Faces.load(file) for file in sorted(WORK.glob("*.npz")) if file.stem not in known]:
        Faces.join(added).save(PACKED / f"{len([*PACKED.iterdir()])}.npz")
    np.save(MODELS / "face_mesh.npy", usual_mesh())
    record_models()
    if not GROUPS.exists():
        Faces.join([*photographed()]).save(GROUPS)


if __name__ == "__main__":
    main()
