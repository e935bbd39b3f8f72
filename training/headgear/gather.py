"""Gathering of hands and sides of heads, the training data of the headgear networks.

Run `python -m training.headgear.gather` from a checkout. Images go through the product's own search
(`faces/face_search.py`, `hands/hand_search.py`), so that training sees the same as the reader. Each image is searched a
second time at half its size and mirrored. Every hand that is assigned to a side has the truth of that side, even if its
landmarks are bad. A crop of every side is stored (`vision/headgear/side_net.py`), wider than the network's input, so
that augmentation can shift and rotate it.

Hands are packed into `training/work/packed/hands.npz`, and sides into parts in `sides/` beside it; training needs no
images after that. Sides of heads in the photographed groups of ../shared/real show real rooms beside a head. They stay
in the work folder, since photographs are not copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.detections import FacePose
from bunnymoose_cv.vision.faces.face_mesh import fit_mean_mesh
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.hands.assignment import holding
from bunnymoose_cv.vision.hands.hand_search import find_hands, hands_around
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures, features_at_head
from bunnymoose_cv.vision.headgear.side_net import OUTWARD, UPWARD, cut_side
from bunnymoose_cv.vision.nets.worker_pool import Workers
from training import paths
from training.gathering import Gathered, encoded
from training.geometry import rotation
from training.headgear.examples import NO_FEATURES, Hands, Sides, Truth
from training.paths import SHARED
from training.players import gather, head_at, heads_of_groups, offset_of, rendered_players, shared_players

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.faces.head import Head
    from training.players import LabelledImage

WORK = paths.WORK / "headgear"
PACKED_HANDS, PACKED_SIDES = paths.PACKED / "hands.npz", paths.PACKED / "sides"
GROUPS = WORK / "groups.npz"

STORED_WINDOW, STORED_SIZE = 7.4, 176
"""Side of a stored crop, in eye distances and in pixels: wider than the side network's input, for augmentation."""

EYE_TOLERANCE = 0.35
"""Distance of the found eyes from the true ones, in eye distances, above which another face was found."""


def _images(examples: Hands | Sides) -> Iterator[str]:
    return (place.split("/", maxsplit=1)[0] for place in examples.truth.place)


def _stores() -> tuple[Gathered[Hands], Gathered[Sides]]:
    hands = Gathered(Hands, WORK / "hands", PACKED_HANDS, _images)
    return hands, Gathered(Sides, WORK / "cuts", PACKED_SIDES, _images)


def packed_sides(*beside: Path) -> Sides:
    """Return all packed sides, and those in files beside them."""
    return _stores()[1].all(*beside)


def _sides_of(labelled: LabelledImage, image: Image, head: Head | None) -> Sides:
    """Return the sides of a head; empty if it was not found."""
    if head is None:
        return Sides([], np.zeros(0, np.float32), _no_joints(0), _truth(labelled, ()))
    cuts = [_cut(image, head, side) for side in labelled.sides]
    joints = _no_joints(len(cuts))
    for row, (side, truth) in enumerate(labelled.sides.items()):
        if truth.joints is not None:
            joints[row] = to_crop(truth.joints, head, side)
    return Sides(cuts, np.full(len(cuts), head.eye_distance, np.float32), joints, _truth(labelled, labelled.sides))


def _hands_of(labelled: LabelledImage, image: Image, head: Head | None, workers: Workers) -> Hands:
    """Return the hands found in the image, and those found in its small mirrored copy."""
    small = cv2.resize(image[:, ::-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    mirrored, box = np.asarray(small, np.uint8), labelled.face
    face = Box(mirrored.shape[1] - (box.x + box.width) / 2, box.y / 2, box.width / 2, box.height / 2)
    eyes = labelled.eyes[::-1] * (-0.5, 0.5) + (mirrored.shape[1], 0)
    seen = _features_of(image, head, workers)
    swapped = _features_of(mirrored, _true_head(mirrored, face, eyes, workers), workers)
    exchanged = {side.other: features for side, features in swapped.items()}
    return Hands.join([_hands(labelled, seen), _hands(labelled, exchanged, "/small")])


def _true_head(image: Image, face: Box, eyes: npt.NDArray[np.float64], workers: Workers) -> Head | None:
    """Return the head in a box, if its eyes are found at the true ones."""
    head = head_at(image, face, workers)
    return None if head is None or offset_of(head, eyes) > EYE_TOLERANCE else head


def to_crop(points: npt.NDArray[np.float64], head: Head, side: Side) -> npt.NDArray[np.float64]:
    """Map points of the image, shape (n, 2), to a stored crop, pixels."""
    outward = 1 if side is Side.LEFT else -1
    axes = rotation(np.radians(head.tilt_degrees)) @ np.diag([outward, 1])
    scale = STORED_SIZE / (STORED_WINDOW * head.eye_distance)
    middle = head.at(outward * OUTWARD, UPWARD)
    return np.asarray((STORED_SIZE - 1) / 2 + scale * (points - middle) @ axes, np.float64)


def joints_in_crop(at_head: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Map joints in a head's axes, shape (21, 2), eye distances, to the stored crop of their side, pixels."""
    offset = (at_head - np.array([OUTWARD, UPWARD], np.float32)) * np.array([1, -1], np.float32)
    return np.asarray((STORED_SIZE - 1) / 2 + STORED_SIZE / STORED_WINDOW * offset, np.float32)


def _no_joints(count: int) -> npt.NDArray[np.float16]:
    return np.full((count, 21, 2), np.nan, np.float16)


def _cut(image: Image, head: Head, side: Side) -> bytes:
    return encoded(cut_side(image, head, side, STORED_WINDOW, STORED_SIZE))


def _features_of(image: Image, head: Head | None, workers: Workers) -> dict[Side, HandFeatures]:
    """Return the hands that the product assigns to the sides of a head."""
    if head is None:
        return {}
    settings = load_settings().people
    found = hands_around([head], image, workers)
    hands = find_hands(found, (head,), image, workers, settings, looks_closer=lambda *_: True)
    players = holding(hands, (head,), settings)
    return {
        side: features_at_head(hand, player.head, side) for player in players for side, hand in player.hands.items()
    }


def _hands(labelled: LabelledImage, features: dict[Side, HandFeatures], look: str = "") -> Hands:
    known = {side: hand for side, hand in features.items() if side in labelled.sides}
    shapes = np.array([labelled.sides[side].shape for side in known], np.int8)
    return Hands(HandFeatures.join([NO_FEATURES, *known.values()]), _truth(labelled, known, look), shapes)


def _truth(labelled: LabelledImage, sides: Iterable[Side], look: str = "") -> Truth:
    rows = ((labelled.sides[side], f"{labelled.name}/{side.name.lower()}{look}") for side in sides)
    return Truth.of([(side.headgear, side.between, labelled.person, place) for side, place in rows])


def _gather_groups(workers: Workers) -> None:
    """Store the sides of the heads in photographed groups, which are empty."""
    cuts, sizes, rows = [], [], []
    for name, image, heads in heads_of_groups(workers):
        for number, head in enumerate(heads):
            for side in Side:
                cuts.append(_cut(image, head, side))
                sizes.append(head.eye_distance)
                rows.append((None, (), f"group_{name}", f"group_{name}_{number}/{side.name.lower()}"))
    Sides(cuts, np.array(sizes, np.float32), _no_joints(len(cuts)), Truth.of(rows)).save(GROUPS)


def main() -> None:
    """Gather missing examples, then pack them."""
    images = [*rendered_players()]
    with Workers(1) as workers:

        def look(labelled: LabelledImage, image: Image) -> tuple[Hands, Sides]:
            head = _true_head(image, labelled.face, labelled.eyes, workers)
            if head is None and labelled.axes is not None:
                head = fit_mean_mesh(FacePose(labelled.eyes, labelled.axes, 1.0))
            return _hands_of(labelled, image, head, workers), _sides_of(labelled, image, head)

        if SHARED.is_dir():
            images += shared_players()
            if not GROUPS.exists():
                _gather_groups(workers)
        gather(images, _stores(), look)
    hands, sides = (store.pack() for store in _stores())
    print(f"packed {hands} more hands and {sides} more sides")


if __name__ == "__main__":
    main()
