"""Examples of the headgear networks, in memory and in files: hands and sides of heads with their truth.

A *place* names one side of one head in one image, so that the answers of two networks about it can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.rules.pose import Direction, Form, Place, Spread
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from training.evaluate.hand_labels import FINGERS
from training.evaluate.headgear_fields import HeadgearFields
from training.gathering import Columns, decoded, is_left_out

if TYPE_CHECKING:
    from collections.abc import Sequence
    from enum import Enum

    from bunnymoose_cv.rules.pose import Headgear
    from training.evaluate.hand_labels import HandLabels

ANTLER, EAR, NEITHER, UNKNOWN = 0, 1, 2, -1
_KINDS = {Kind.ANTLER: ANTLER, Kind.EAR: EAR, Kind.NEITHER: NEITHER}
COLUMNS = ("kind", "spread", "direction", "form", "place")
"""Columns of a truth."""


class Shape(IntEnum):
    """Shape of a hand at any place."""

    OPEN = 0
    TWO = 1
    FOUR = 2
    OTHER = 3


KIND_OF_SHAPE = {Shape.OPEN: ANTLER, Shape.TWO: EAR, Shape.FOUR: EAR, Shape.OTHER: NEITHER}
"""Kind that each shape makes at a head."""


def shape_of(labels: HandLabels) -> int:
    """Return the shape that labels give, or UNKNOWN if they leave it open."""
    match labels.kind:
        case None:
            return UNKNOWN
        case Kind.ANTLER:
            return Shape.OPEN
        case Kind.EAR:
            return Shape.FOUR if labels.fingers == FINGERS else Shape.TWO
        case Kind.NEITHER:
            return Shape.OTHER


def values_of(fields: HeadgearFields) -> tuple[int, int, int, int, int]:
    """Return the fields of a known kind as numbers, UNKNOWN for an open field: see `Truth.values`.

    Raises:
        ValueError: the kind is open.
    """
    if fields.kind is None:
        raise ValueError("a side of an open kind has no truth")
    return (
        _KINDS[fields.kind],
        _value(fields.spread, Spread.WIDE),
        _value(fields.direction, Direction.UP),
        _value(fields.form, Form.STRAIGHT),
        _value(fields.place, Place.TOP),
    )


def _value(field: Enum | None, one: Enum) -> int:
    return UNKNOWN if field is None else int(field is one)


@dataclass(frozen=True, slots=True, eq=False)
class Truth(Columns):
    """Truth of n hands or sides.

    Attributes:
        values: shape (n, 5): kind (0 antler, 1 ear, 2 neither), then wide, up, straight, top as 1 or 0; -1 unknown.
        between: shape (n, 5), bool: True for a field between two values; `values` holds the nearer one.
        person: shape (n,), person id; never split between training and testing.
        place: shape (n,), image and side; empty without a head.
    """

    values: npt.NDArray[np.int8]
    between: npt.NDArray[np.bool_]
    person: npt.NDArray[np.str_]
    place: npt.NDArray[np.str_]

    @property
    def left_out(self) -> npt.NDArray[np.bool_]:
        """Mask of the held-out people, on whom networks are joined, calibrated and measured."""
        return np.array([is_left_out(person) for person in self.person], bool)

    @classmethod
    def of(cls, rows: Sequence[tuple[Headgear, Sequence[str], str, str]]) -> Self:
        """Return the truth of headgears with the names of the columns between two values, person and place."""
        headgear, between, person, place = zip(*rows, strict=True) if rows else ((), (), (), ())
        values = [values_of(HeadgearFields.of(kind)) for kind in headgear]
        flags = [[name in names for name in COLUMNS] for names in between]
        return cls(
            np.array(values, np.int8).reshape(-1, len(COLUMNS)),
            np.array(flags, bool).reshape(-1, len(COLUMNS)),
            np.array(person, np.str_),
            np.array(place, np.str_),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Hands(Columns):
    """Hands as the detectors find them, with their truth.

    Attributes:
        features: joints of the hands.
        truth: truth of the side that each was assigned to; for a single hand, that of its shape.
        shape: shape (n,), a `Shape` each; UNKNOWN if it is not labelled.
    """

    features: HandFeatures
    truth: Truth
    shape: npt.NDArray[np.int8]


NO_FEATURES = HandFeatures.alone(np.zeros((0, 21, 3), np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Sides(Columns):
    """Crops of sides of heads (`vision/headgear/side_net.py`, wider), with their truth.

    Attributes:
        cuts: n crops, as WebP.
        eye_distance: shape (n,), pixels between the eyes in the image.
        joints: shape (n, 21, 2), true joints of the hand, in MediaPipe's order, in the crop's pixels; NaN if unknown.
        truth: truth of each side.
    """

    cuts: list[bytes]
    eye_distance: npt.NDArray[np.float32]
    joints: npt.NDArray[np.float16]
    truth: Truth

    def images(self) -> npt.NDArray[np.uint8]:
        """Return the crops, shape (n, side, side, 3)."""
        return np.asarray(decoded(self.cuts), np.uint8)
