"""Examples of the headgear nets, in memory and in files: hands and sides of heads with their truth.

A *place* names one side of one head in one image, so that
what two nets say of it can be laid side by side.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Self

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.rules.pose import Direction, Form, Place, Spread
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from training.content_cache import save_arrays
from training.evaluate.hand_labels import FINGERS
from training.evaluate.headgear_fields import HeadgearFields

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from enum import Enum
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.pose import Headgear
    from training.evaluate.hand_labels import HandLabels

ANTLER, EAR, NEITHER, UNKNOWN = 0, 1, 2, -1
_KINDS = {Kind.ANTLER: ANTLER, Kind.EAR: EAR, Kind.NEITHER: NEITHER}
COLUMNS = ("kind", "spread", "direction", "form", "place")
"""The columns of a truth."""


class Shape(IntEnum):
    """Shape of a hand, wherever it stands."""

    OPEN = 0
    TWO = 1
    FOUR = 2
    OTHER = 3


KIND_OF_SHAPE = {Shape.OPEN: ANTLER, Shape.TWO: EAR, Shape.FOUR: EAR, Shape.OTHER: NEITHER}
"""Kind that a shape makes at a head."""


def shape_of(labels: HandLabels) -> int:
    """Return the shape that labels give; UNKNOWN if they leave it open."""
    match labels.kind:
        case None:
            return UNKNOWN
        case Kind.ANTLER:
            return Shape.OPEN
        case Kind.EAR:
            return Shape.FOUR if labels.fingers == FINGERS else Shape.TWO
        case Kind.NEITHER:
            return Shape.OTHER


WEBP_QUALITY = 70

LEFT_OUT_OF = 5
"""One of so many people teaches no net."""


def is_left_out(person: str) -> bool:
    """Tell if a person is held out of every training."""
    return zlib.crc32(person.encode()) % LEFT_OUT_OF == 0


def truth_of(headgear: Headgear) -> tuple[int, int, int, int, int]:
    """Headgear as numbers: see `Truth.values`."""
    return values_of(HeadgearFields.of(headgear))


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
class Truth:
    """Truth of n hands or sides.

    Attributes:
        values: shape (n, 5): kind (0 antler, 1 ear, 2 neither), then wide, up, straight, top as 1 or 0; -1 unknown.
        between: shape (n, 5), bool: what lies between two values; `values` holds the nearer one.
        person: shape (n,), who; never split between training and testing.
        place: shape (n,), image and side; empty where there is no head.
    """

    values: npt.NDArray[np.int8]
    between: npt.NDArray[np.bool_]
    person: npt.NDArray[np.str_]
    place: npt.NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def left_out(self) -> npt.NDArray[np.bool_]:
        """Mask of the held-out people: on them nets are joined, calibrated and measured.

        A person's name decides, so that it stays so when more people come.
        """
        return np.array([is_left_out(person) for person in self.person], bool)

    def take(self, rows: npt.NDArray[np.intp]) -> Truth:
        """Take the rows of these numbers."""
        return Truth(*(getattr(self, field.name)[rows] for field in fields(self)))

    @classmethod
    def join(cls, parts: Sequence[Truth]) -> Self:
        """All of several."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))

    @classmethod
    def of(cls, rows: Sequence[tuple[Headgear, Sequence[str], str, str]]) -> Self:
        """From headgears with the names of the columns that lie between, person and place."""
        return cls(
            np.array([truth_of(headgear) for headgear, _, _, _ in rows], np.int8).reshape(-1, len(COLUMNS)),
            np.array([[name in names for name in COLUMNS] for _, names, _, _ in rows], bool).reshape(-1, len(COLUMNS)),
            np.array([person for _, _, person, _ in rows], np.str_),
            np.array([place for _, _, _, place in rows], np.str_),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """Hands as the detectors find them, with their truth.

    Attributes:
        features: their joints.
        truth: truth of the side that each was assigned to; of a hand by itself, of its shape.
        shape: shape (n,), a `Shape` each; UNKNOWN if nothing says it.
    """

    features: HandFeatures
    truth: Truth
    shape: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.truth)

    def take(self, rows: npt.NDArray[np.intp]) -> Hands:
        """Return the rows of these numbers."""
        return Hands(self.features.take(rows), self.truth.take(rows), self.shape[rows])

    @classmethod
    def join(cls, parts: Sequence[Hands]) -> Self:
        """Return all hands of several."""
        return cls(
            HandFeatures.join([part.features for part in parts]),
            Truth.join([part.truth for part in parts]),
            np.concatenate([part.shape for part in parts]),
        )

    def save(self, path: Path) -> None:
        """Write them to a file."""
        save_arrays(path, _arrays(self.features) | _arrays(self.truth) | {"shape": self.shape})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load the examples from a file."""
        stored = np.load(path, allow_pickle=False)
        return cls(_features_in(stored), _truth_in(stored), stored["shape"])


NO_FEATURES = HandFeatures(np.zeros((0, 21, 3), np.float32), np.zeros((0, 21, 2), np.float32))


def alone(points: npt.NDArray[np.float32]) -> HandFeatures:
    """Return hands by themselves, shape (n, 21, 3), without a head."""
    return HandFeatures(points, np.full((len(points), 21, 2), np.nan, np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Cuts of sides of heads (`vision/headgear/side_net.py`, wider), with their truth.

    Attributes:
        cuts: n of them, as WebP.
        eye_distance: shape (n,), pixels between the eyes in the image.
        joints: shape (n, 21, 2), where the hand's joints truly are, in MediaPipe's order, in the cut's pixels; NaN
            where nobody knows.
        truth: of the n.
    """

    cuts: list[bytes]
    eye_distance: npt.NDArray[np.float32]
    joints: npt.NDArray[np.float16]
    truth: Truth

    def __len__(self) -> int:
        return len(self.cuts)

    def take(self, rows: npt.NDArray[np.intp]) -> Sides:
        """Take the rows of these numbers."""
        return Sides(
            [self.cuts[row] for row in rows], self.eye_distance[rows], self.joints[rows], self.truth.take(rows)
        )

    @classmethod
    def join(cls, parts: Sequence[Sides]) -> Self:
        """All of several."""
        return cls(
            [cut for part in parts for cut in part.cuts],
            np.concatenate([part.eye_distance for part in parts]),
            np.concatenate([part.joints for part in parts]),
            Truth.join([part.truth for part in parts]),
        )

    def images(self) -> npt.NDArray[np.uint8]:
        """The cuts, shape (n, side, side, 3)."""
        images = [cv2.imdecode(np.frombuffer(cut, np.uint8), cv2.IMREAD_COLOR) for cut in self.cuts]
        return np.asarray(images, np.uint8)

    def save(self, path: Path) -> None:
        """Keep them in a file."""
        lengths = np.array([len(cut) for cut in self.cuts], np.int64)
        pixels = np.frombuffer(b"".join(self.cuts), np.uint8)
        arrays: dict[str, npt.NDArray[Any]] = {
            "pixels": pixels,
            "lengths": lengths,
            "eye_distance": self.eye_distance,
            "joints": self.joints,
        }
        save_arrays(path, arrays | _arrays(self.truth))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load the examples from a file."""
        stored = np.load(path, allow_pickle=False)
        ends = np.cumsum(stored["lengths"])
        pixels = stored["pixels"].tobytes()
        cuts = [pixels[end - length : end] for end, length in zip(ends, stored["lengths"], strict=True)]
        return cls(cuts, stored["eye_distance"], stored["joints"], _truth_in(stored))


def encoded(image: Image) -> bytes:
    """A cut as it is stored."""
    return bytes(cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])[1])


def _arrays(holder: HandFeatures | Truth) -> dict[str, npt.NDArray[Any]]:
    return {field.name: getattr(holder, field.name) for field in fields(holder)}


def _features_in(stored: Mapping[str, npt.NDArray[np.float32]]) -> HandFeatures:
    return HandFeatures(*(stored[field.name] for field in fields(HandFeatures)))


def _truth_in(stored: Mapping[str, npt.NDArray[Any]]) -> Truth:
    return Truth(*(stored[field.name] for field in fields(Truth)))
