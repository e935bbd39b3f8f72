"""Labelled images → stored hands and sides: what the headgear nets learn from.

Run from a checkout: `python -m training.headgear.gather`. Images go through the product's own eyes
(`faces/face_search.py`, `hands/hand_search.py`), so that training sees what the reader will see: every hand that it
gives to a side carries the truth of that side, even where the landmarks are bad, and of every side a cut is kept
(`vision/headgear/side_net.py`, wider, so that training can shift and turn in it). Each image is also looked at small
and mirrored, for its hands.

Two files an image are kept in `training/work/headgear/`; what is there, or packed already, is not gathered
again, so the work can be interrupted, and new images are added to the old. All of it together is then packed into
`training/work/packed/hands.npz` and the parts in `sides/` there, from which training starts without an image:
packing adds to what was packed before.

The heads of the photographed groups of ../shared/real have no hands: their sides teach what real rooms look like beside
a head. They are kept in the work folder alone, for photographs are not copied.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import cv2
import numpy as np
from rich.progress import track

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Antler, Ear, Headgear, Side, parse_headgear
from bunnymoose_cv.vision.detections import FacePose
from bunnymoose_cv.vision.faces.face_mesh import head_in
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.faces.head import LEFT_EYE, RIGHT_EYE
from bunnymoose_cv.vision.faces.mean_mesh import fit_mean_mesh
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.hands.assignment import holding
from bunnymoose_cv.vision.hands.hand_search import find_hands
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures, features_at_head
from bunnymoose_cv.vision.headgear.side_net import OUTWARD, UPWARD, cut_side
from bunnymoose_cv.vision.nets.worker_pool import Workers
from training import paths
from training.evaluate.datasets import RowKind, read_manifest
from training.headgear.examples import NO_FEATURES, UNKNOWN, Hands, Shape, Sides, Truth, encoded
from training.paths import SHARED
from training.rotations import rotated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import PeopleSettings
    from bunnymoose_cv.vision.faces.head import Head

WORK = paths.WORK / "headgear"
PLAYERS = paths.WORK / "players"
PACKED_HANDS, PACKED_SIDES = paths.PACKED / "hands.npz", paths.PACKED / "sides"
GROUPS = WORK / "groups.npz"

Example = TypeVar("Example", Hands, Sides)

STORED_WINDOW, STORED_SIZE = 7.4, 176
"""Side of a stored cut, in eye distances and in pixels: wider than what the side network sees, for augmentation."""


@dataclass(frozen=True, slots=True)
class LabelledImage:
    """An image of one player whose headgears are known.

    Attributes:
        path: the image.
        name: what it is called in places; no two images share one.
        person: who it shows.
        face: the face's box, roughly, pixels.
        eyes: the middles of the left and the right eye, pixels.
        axes: what lies in the image of the head's unit vectors forward and up, shape (2, 2); None where unknown.
        headgear: what stands on each side; of a shape between two, the nearer.
        shape: shape of the hand on each side, a `Shape`; UNKNOWN if the truth does not say it.
        between: on each side the columns of a truth in which it lies between two values.
        inside: the sides whose hand the image does not cut off.
        joints: of the hand on each side, shape (21, 2), pixels; none where nobody wrote them down.
    """

    path: Path
    name: str
    person: str
    face: Box
    eyes: npt.NDArray[np.float64]
    axes: npt.NDArray[np.float64] | None
    headgear: dict[Side, Headgear]
    shape: dict[Side, int]
    between: dict[Side, tuple[str, ...]]
    inside: tuple[Side, ...]
    joints: dict[Side, npt.NDArray[np.float64]]


def shared_players() -> Iterator[LabelledImage]:
    """The rendered players of ../shared/synth."""
    folder = SHARED / "synth"
    for name, player in json.loads((folder / "players.json").read_text()).items():
        if player["inside"]:
            (left_x, left_y), (right_x, right_y) = player["eyes_px"]
            size = player["face_px"]
            yield LabelledImage(
                folder / "players" / f"{name}.jpg",
                f"shared_{name}",
                f"shared{name}",
                Box((left_x + right_x - size) / 2, (left_y + right_y) / 2 - size / 3, size, size),
                np.array(player["eyes_px"]),
                None,
                {side: parse_headgear(player[side.name.lower()]) for side in Side},
                {side: _shape_of(parse_headgear(player[side.name.lower()]), "headgear", "") for side in Side},
                dict.fromkeys(Side, ()),
                tuple(Side),
                {},
            )


def rendered_players(folder: Path) -> Iterator[LabelledImage]:
    """The players that `fixtures/render` made, a truth file beside each image."""
    for truth_file in sorted(folder.glob("*.json")):
        truth = json.loads(truth_file.read_text())
        sides = {side: truth[side.name.lower()] for side in Side}
        yield LabelledImage(
            truth_file.with_suffix(".jpg"),
            truth_file.stem,
            truth["subject"],
            Box(*truth["face_px"]),
            np.array(truth["eyes_px"]),
            _axes_of(truth),
            {side: parse_headgear(own["headgear"]) for side, own in sides.items()},
            {side: _shape_of(parse_headgear(own["headgear"]), own["sort"], own["how"]) for side, own in sides.items()},
            {side: tuple(own.get("between", ())) for side, own in sides.items()},
            tuple(side for side, own in sides.items() if own["inside"]),
            {side: np.array(own["joints_px"]) for side, own in sides.items() if own.get("joints_px")},
        )


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
"""Shapes of rendered hands that are not headgear, by their sort; of flat hands the thumb is not known."""


def _shape_of(headgear: Headgear, sort: str, how: str) -> int:
    """Return the shape of a rendered hand."""
    if isinstance(headgear, Antler):
        return Shape.OPEN
    if isinstance(headgear, Ear):
        return Shape.FOUR if "four fingers" in how else Shape.TWO
    return _SHAPES.get(sort, UNKNOWN)


MESH_NODS = 4.7
"""Bias of MediaPipe's mesh, degrees that a rendered head looks down more than its bones (mean of 93 heads)."""


def _axes_of(truth: dict[str, Any]) -> npt.NDArray[np.float64]:
    """Axes of a rendered head as a mesh sees them; a lens near it sees it turned by some degrees more or less."""
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


def gather(images: Iterable[LabelledImage]) -> None:
    """Look at every image that was not looked at yet."""
    settings, packed = load_settings().people, _images_in(_packed_parts())
    missing = [one for one in images if one.name not in packed and not all(file.exists() for file in _files(one))]
    with Workers(1) as workers:
        for labelled in track(missing, description="Looking at players"):
            image = np.asarray(cv2.imread(str(labelled.path)), np.uint8)
            head = true_head(image, labelled.face, labelled.eyes, workers)
            if head is None and labelled.axes is not None:
                head = fit_mean_mesh(FacePose(labelled.eyes, labelled.axes, 1.0))
            hands_file, sides_file = _files(labelled)
            if not hands_file.exists():
                _hands_of(labelled, image, head, workers, settings).save(hands_file)
            _sides_of(labelled, image, head).save(sides_file)


def _files(labelled: LabelledImage) -> tuple[Path, Path]:
    """Paths of an image's hands and sides."""
    return WORK / "hands" / f"{labelled.name}.npz", WORK / "cuts" / f"{labelled.name}.npz"


def _sides_of(labelled: LabelledImage, image: Image, head: Head | None) -> Sides:
    """The sides of a head that was found."""
    if head is None:
        return Sides([], np.zeros(0, np.float32), _no_joints(0), _truth(labelled, ()))
    cuts = [_cut(image, head, side) for side in labelled.inside]
    joints = _no_joints(len(cuts))
    for row, side in enumerate(labelled.inside):
        if side in labelled.joints:
            joints[row] = on_cut(labelled.joints[side], head, side)
    return Sides(cuts, np.full(len(cuts), head.eye_distance, np.float32), joints, _truth(labelled, labelled.inside))


def _hands_of(
    labelled: LabelledImage, image: Image, head: Head | None, workers: Workers, settings: PeopleSettings
) -> Hands:
    """The hands of both looks: at the image, and at it small and mirrored."""
    features = {} if head is None else _features_of(image, head, workers, settings)
    small = cv2.resize(image[:, ::-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    mirrored, box = np.asarray(small, np.uint8), labelled.face
    face = Box(mirrored.shape[1] - (box.x + box.width) / 2, box.y / 2, box.width / 2, box.height / 2)
    eyes = labelled.eyes[::-1] * (-0.5, 0.5) + (mirrored.shape[1], 0)
    small_head = true_head(mirrored, face, eyes, workers)
    swapped = {} if small_head is None else _features_of(mirrored, small_head, workers, settings)
    exchanged = {side.other: each for side, each in swapped.items()}
    return Hands.join([_hands(labelled, features), _hands(labelled, exchanged, "/small")])


def true_head(image: Image, face: Box, eyes: npt.NDArray[np.float64], workers: Workers) -> Head | None:
    """The head in a box, if its eyes were found where they are."""
    head = head_at(image, face, workers)
    return None if head is None or offset_of(head, eyes) > OFF else head


def head_at(image: Image, face: Box, workers: Workers) -> Head | None:
    """The head in a box, if a face is found there."""
    return workers.map(lambda landmarkers, box: head_in(landmarkers, image, box), [face])[0]


OFF = 0.35
"""Tolerance of found eyes against the true ones, in eye distances; beyond it a cut shows something else."""


def offset_of(head: Head, eyes: npt.NDArray[np.float64]) -> float:
    """Distance of a head's eyes from the true ones, in its eye distances."""
    found = np.stack([head.face.points[points, :2].mean(0) for points in (LEFT_EYE, RIGHT_EYE)])
    return float(np.linalg.norm(found - eyes, axis=1).mean() / head.eye_distance)


def on_cut(points: npt.NDArray[np.float64], head: Head, side: Side) -> npt.NDArray[np.float64]:
    """Map points of the image, shape (n, 2), to a stored cut, pixels."""
    outward = 1 if side is Side.LEFT else -1
    turn = np.radians(head.tilt_degrees)
    axes = np.array([[outward * np.cos(turn), -np.sin(turn)], [outward * np.sin(turn), np.cos(turn)]])
    scale = STORED_SIZE / (STORED_WINDOW * head.eye_distance)
    middle = head.at(outward * OUTWARD, UPWARD)
    return np.asarray((STORED_SIZE - 1) / 2 + scale * (points - middle) @ axes, np.float64)


def _no_joints(count: int) -> npt.NDArray[np.float16]:
    return np.full((count, 21, 2), np.nan, np.float16)


def _cut(image: Image, head: Head, side: Side) -> bytes:
    return encoded(cut_side(image, head, side, STORED_WINDOW, STORED_SIZE))


def _features_of(image: Image, head: Head, workers: Workers, settings: PeopleSettings) -> dict[Side, HandFeatures]:
    """The hands that the product gives to the sides of this head."""
    return {
        side: features_at_head(hand, player.head, side)
        for player in holding(find_hands((head,), image, workers, settings), (head,), settings)
        for side, hand in player.hands.items()
    }


def _hands(labelled: LabelledImage, features: dict[Side, HandFeatures], look: str = "") -> Hands:
    known = {side: each for side, each in features.items() if side in labelled.inside}
    shapes = np.array([labelled.shape[side] for side in known], np.int8)
    return Hands(HandFeatures.join([NO_FEATURES, *known.values()]), _truth(labelled, known, look), shapes)


def _truth(labelled: LabelledImage, sides: Iterable[Side], look: str = "") -> Truth:
    return Truth.of(
        [
            (
                labelled.headgear[side],
                labelled.between[side],
                labelled.person,
                f"{labelled.name}/{side.name.lower()}{look}",
            )
            for side in sides
        ]
    )


def pack() -> None:
    """Put what was gathered of new images to what is packed; nothing that is packed is packed again."""
    sides = _new([Sides.load(file) for file in sorted((WORK / "cuts").glob("*.npz"))], _packed_parts())
    hands = [Hands.load(file) for file in sorted((WORK / "hands").glob("*.npz"))]
    packed_hands = [Hands.load(PACKED_HANDS)] if PACKED_HANDS.exists() else []
    if hands := _new(hands, packed_hands):
        Hands.join([*packed_hands, *hands]).save(PACKED_HANDS)
    if sides:
        PACKED_SIDES.mkdir(parents=True, exist_ok=True)
        Sides.join(sides).save(PACKED_SIDES / f"{len(_packed_parts())}.npz")
    print(f"packed {sum(map(len, hands))} more hands and {sum(map(len, sides))} more sides")


def packed_sides() -> Sides:
    """All sides that are packed."""
    return Sides.join(_packed_parts())


def _packed_parts() -> list[Sides]:
    return [Sides.load(file) for file in sorted(PACKED_SIDES.glob("*.npz"))]


def _new(gathered: Sequence[Example], packed: Sequence[Example]) -> list[Example]:
    """Examples of images that are not packed."""
    known = _images_in(packed)
    return [part for part in gathered if len(part) and _image_of(part.truth.place[0]) not in known]


def _images_in(parts: Iterable[Hands | Sides]) -> set[str]:
    """The images of which something is in these."""
    return {_image_of(place) for part in parts for place in part.truth.place}


def _image_of(place: str) -> str:
    return place.split("/", maxsplit=1)[0]


def gather_groups() -> None:
    """The sides of the heads in photographed groups, on which nothing stands."""
    manifest = read_manifest(SHARED / "real/manifest.csv")
    settings = load_settings().people
    cuts, sizes, rows = [], [], []
    with Workers(1) as workers:
        for row in manifest.rows:
            if row.kind is not RowKind.GROUP:
                continue
            image = read_image(row.image)
            for number, head in enumerate(find_heads(image, workers, settings)):
                for side in Side:
                    cuts.append(_cut(image, head, side))
                    sizes.append(head.eye_distance)
                    rows.append((None, (), f"group_{row.name}", f"group_{row.name}_{number}/{side.name.lower()}"))
    Sides(cuts, np.array(sizes, np.float32), _no_joints(len(cuts)), Truth.of(rows)).save(GROUPS)


def main() -> None:
    """Gather what is not there yet, then pack."""
    images = [*rendered_players(PLAYERS)]
    if SHARED.is_dir():
        images += shared_players()
        if not GROUPS.exists():
            gather_groups()
    gather(images)
    pack()


if __name__ == "__main__":
    main()
