"""Rendered players with their truth, photographed groups, and the heads that the product finds in them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from rich.progress import track

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Antler, Ear, Side, parse_headgear
from bunnymoose_cv.vision.faces.face_mesh import head_in
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.faces.head import LEFT_EYE, RIGHT_EYE
from bunnymoose_cv.vision.geometry import Box
from training import paths
from training.evaluate.datasets import RowKind, read_manifest
from training.geometry import rotated
from training.headgear.examples import UNKNOWN, Shape
from training.paths import SHARED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.pose import Headgear
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.nets.worker_pool import Workers
    from training.gathering import Columns, Gathered

PLAYERS = paths.WORK / "players"


@dataclass(frozen=True, slots=True)
class LabelledSide:
    """True headgear of one side of a rendered head.

    Attributes:
        headgear: the headgear; for a shape between two, the nearer one.
        shape: shape of the hand, a `Shape`; UNKNOWN if the truth does not say it.
        between: columns of a truth for which the side is between two values.
        joints: joints of the hand, shape (21, 2), pixels; None if they were not recorded.
    """

    headgear: Headgear
    shape: int
    between: tuple[str, ...] = ()
    joints: npt.NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class LabelledImage:
    """An image of one player with known headgear.

    Attributes:
        path: path of the image.
        name: unique name of the image, used in places.
        person: the person it shows.
        face: approximate box of the face, pixels.
        eyes: the middles of the left and the right eye, pixels.
        sides: the sides whose hand the image does not cut off.
        axes: image of the head's unit vectors forward and up, shape (2, 2); None if unknown.
    """

    path: Path
    name: str
    person: str
    face: Box
    eyes: npt.NDArray[np.float64]
    sides: dict[Side, LabelledSide]
    axes: npt.NDArray[np.float64] | None = None


def shared_players() -> Iterator[LabelledImage]:
    """Return the rendered players of ../shared/synth."""
    folder = SHARED / "synth"
    for name, player in json.loads((folder / "players.json").read_text()).items():
        if player["inside"]:
            (left_x, left_y), (right_x, right_y) = player["eyes_px"]
            size = player["face_px"]
            face = Box((left_x + right_x - size) / 2, (left_y + right_y) / 2 - size / 3, size, size)
            sides = {side: _labelled({"headgear": player[side.name.lower()]}) for side in Side}
            path, eyes = folder / "players" / f"{name}.jpg", np.array(player["eyes_px"])
            yield LabelledImage(path, f"shared_{name}", f"shared{name}", face, eyes, sides)


def rendered_players() -> Iterator[LabelledImage]:
    """Return the players rendered by `fixtures/render`, with a truth file beside each image."""
    for file in sorted(PLAYERS.glob("*.json")):
        truth = json.loads(file.read_text())
        shown = {side: truth[side.name.lower()] for side in Side}
        sides = {side: _labelled(own) for side, own in shown.items() if own["inside"]}
        face, eyes = Box(*truth["face_px"]), np.array(truth["eyes_px"])
        yield LabelledImage(file.with_suffix(".jpg"), file.stem, truth["subject"], face, eyes, sides, axes_of(truth))


_SHAPES = {
    "open palm away from the head": Shape.OPEN,
    "two fingers away from the head": Shape.TWO,
    "fist at the temple": Shape.OTHER,
    "fist on the head": Shape.OTHER,
    "fist at the chin": Shape.OTHER,
    "three fingers": Shape.OTHER,
    "one finger": Shape.OTHER,
    "thumb and little finger": Shape.OTHER,
}
"""Shapes of rendered hands that are not headgear, by their sort; the thumb of flat hands is not known."""


def _labelled(own: dict[str, Any]) -> LabelledSide:
    """Return a side from its truth: the notation of its headgear, and other facts about the hand."""
    headgear = parse_headgear(own["headgear"])
    shape = _SHAPES.get(own.get("sort", ""), UNKNOWN)
    if isinstance(headgear, Antler):
        shape = Shape.OPEN
    elif isinstance(headgear, Ear):
        shape = Shape.FOUR if "four fingers" in own.get("how", "") else Shape.TWO
    joints = np.array(own["joints_px"]) if own.get("joints_px") else None
    return LabelledSide(headgear, shape, tuple(own.get("between", ())), joints)


MESH_NODS = 4.7
"""Bias of MediaPipe's mesh: degrees by which a rendered head looks farther down than its bones (mean of 93 heads)."""


def axes_of(truth: dict[str, Any]) -> npt.NDArray[np.float64]:
    """Return a rendered head's axes as a mesh gives them. A near lens sees it turned by some degrees more or less."""
    camera = truth["camera"]
    nod, turn, tilt, azimuth, elevation = np.radians([*truth["head_turn_deg"], camera["azimuth"], camera["elevation"]])
    about_x, about_y, about_z = (1, 2), (2, 0), (0, 1)
    forward_and_up = np.eye(3)[[2, 1]]
    for plane, angle in (
        (about_x, nod + np.radians(MESH_NODS)),
        (about_y, turn),
        (about_z, tilt),
        (about_y, -azimuth),
        (about_x, elevation),
    ):
        forward_and_up = rotated(forward_and_up, plane, angle)
    return forward_and_up[:, :2] * (1, -1)


def head_at(image: Image, face: Box, workers: Workers) -> Head | None:
    """Return the head in a box, if a face is found there."""
    return workers.map(lambda landmarkers, box: head_in(landmarkers, image, box), [face])[0]


def offset_of(head: Head, eyes: npt.NDArray[np.float64]) -> float:
    """Return the distance of a head's eyes from the true ones, in its eye distances."""
    return float(np.linalg.norm(eyes_of(head) - eyes, axis=1).mean() / head.eye_distance)


def eyes_of(head: Head) -> npt.NDArray[np.float64]:
    """Return the middles of the left and the right eye, pixels."""
    return np.stack([head.face.points[points, :2].mean(0) for points in (LEFT_EYE, RIGHT_EYE)]).astype(np.float64)


def heads_of_groups(workers: Workers) -> Iterator[tuple[str, Image, list[Head]]]:
    """Find the heads of the photographed groups of ../shared/real, which have no hands near them."""
    settings = load_settings().people
    for row in read_manifest(SHARED / "real/manifest.csv").rows:
        if row.kind is RowKind.GROUP:
            image = read_image(row.image)
            yield row.name, image, [*find_heads(image, workers, settings)]


def gather(
    images: Iterable[LabelledImage],
    into: Sequence[Gathered[Any]],
    look: Callable[[LabelledImage, Image], Iterable[Columns]],
) -> None:
    """Examine every image that was not examined yet.

    Args:
        images: labelled images with unique names.
        into: store of each kind's examples; images that the last one has packed are skipped.
        look: function that returns the examples of an image, one for each kind.
    """
    packed = into[-1].images()
    missing = [
        labelled
        for labelled in images
        if labelled.name not in packed and not all(kept.file(labelled.name).exists() for kept in into)
    ]
    for labelled in track(missing, description="Looking at images"):
        image = np.asarray(cv2.imread(str(labelled.path)), np.uint8)
        for kept, examples in zip(into, look(labelled, image), strict=True):
            examples.save(kept.file(labelled.name))
