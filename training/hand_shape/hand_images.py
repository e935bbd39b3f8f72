"""Images of single hands with their shape: photographs of `../shared/hands`, and hands at rendered heads."""

from __future__ import annotations

import csv
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.vision.hands.hand_search import find_lone_hand
from bunnymoose_cv.vision.nets.worker_pool import Workers
from training.content_cache import code_of, keyed, pickled_once
from training.evaluate.hand_labels import HandLabels
from training.headgear.composites import TABLE, hand_in_crop, thumb_apart
from training.headgear.examples import UNKNOWN, Hands, Shape, shape_of
from training.headgear.gather import GROUPS, PACKED_HANDS, WORK, packed_sides

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from training.headgear.examples import Sides

SHAPES: Final = len(Shape)


@dataclass(frozen=True, slots=True, eq=False)
class HandImage:
    """One hand in an image.

    Attributes:
        image: crop of a photograph, or stored crop of a rendered head.
        joints: shape (21, 2), pixels of the image.
        shape: target probability of each `Shape`, shape (4,).
        fields: wide and straight as 1 or 0, -1 if unknown, shape (2,).
        person: person id; never both in training and in measuring.
    """

    image: Image
    joints: npt.NDArray[np.float64]
    shape: npt.NDArray[np.float32]
    fields: npt.NDArray[np.int8]
    person: str


THUMB_OUT, THUMB_IN = 0.36, 0.2
"""Distances of the thumb tip from the index finger of a flat hand, in palms, above which the thumb is out, and below
which it is in."""

FLAT: Final = frozenset({"stop", "stop_inverted"})
MEASURED_ON: Final = "digits"
"""Source with the same people as ../shared/real, left out of training so that these can be used for evaluation."""


def photographs() -> list[HandImage]:
    """Return the photographed hands whose labels give their shape, from the cache if possible."""
    file = keyed(WORK / "hand_images.pickle", TABLE, code_of(__file__))
    return pickled_once(file, _photographs)


def _photographs() -> Iterator[HandImage]:
    with Workers(1) as workers, TABLE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["source"] == MEASURED_ON or not row["fingers_out"]:
                continue
            image = read_image(TABLE.parent / row["file"])
            hand = find_lone_hand(image, workers)
            if hand is not None:
                joints = hand.points[:, :2].astype(np.float64)
                target, fields = _labelled(row, joints)
                yield HandImage(image, joints, target, fields, f"{row['source']}:{row['person'][-12:]}")


def _labelled(
    row: Mapping[str, str], joints: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
    """Return the target shape and the fields of a photographed hand. The shape of a flat hand depends on the thumb."""
    if row["label"] in FLAT:
        apart = thumb_apart(joints)
        open_hand = 1.0 if apart > THUMB_OUT else 0.0 if apart < THUMB_IN else 0.5
        target = np.zeros(SHAPES, np.float32)
        target[[Shape.OPEN, Shape.FOUR]] = open_hand, 1 - open_hand
        return target, np.array([0, UNKNOWN], np.int8)
    shape = shape_of(HandLabels.of_letters(row["fingers_out"], row["thumb"]))
    wide = 1 if shape == Shape.OPEN else UNKNOWN
    straight = 1 if shape in {Shape.TWO, Shape.FOUR} else UNKNOWN
    return np.eye(SHAPES, dtype=np.float32)[shape], np.array([wide, straight], np.int8)


def is_in_shape_training(person: str) -> bool:
    """Return whether a rendered person is for training this network; the others are for training the hand network."""
    return zlib.crc32(f"shape {person}".encode()) % 2 == 0


def rendered(sides: Sides) -> list[HandImage]:
    """Return the hands at rendered heads whose joints are in the stored crop and whose shape is known."""
    hands = Hands.load(PACKED_HANDS)
    shape_at = dict(zip(hands.truth.place.tolist(), hands.shape.tolist(), strict=True))
    in_cut = np.array([hand_in_crop(joint) for joint in sides.joints])
    plain = np.flatnonzero(in_cut & ~sides.truth.between[:, [0, 1, 3]].any(1))
    shapes = {int(row): shape_at.get(str(sides.truth.place[row]), UNKNOWN) for row in plain}
    rows = np.array([row for row, shape in shapes.items() if shape != UNKNOWN], np.intp)
    images, truth = sides.take(rows).images(), sides.truth.take(rows)
    return [
        HandImage(
            image,
            sides.joints[row].astype(np.float64),
            np.eye(SHAPES, dtype=np.float32)[shapes[int(row)]],
            truth.values[number, [1, 3]],
            str(truth.person[number]),
        )
        for number, (row, image) in enumerate(zip(rows, images, strict=True))
    ]


def group_heads() -> list[Image]:
    """Return the stored crops of heads in photographed groups, without hands."""
    sides = packed_sides(GROUPS)
    return list(sides.take(np.flatnonzero(np.char.startswith(sides.truth.place, "group_"))).images())
