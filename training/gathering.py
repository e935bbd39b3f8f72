"""Training examples: gathered into a file for each image, then packed together.

Every kind of example is a dataclass of columns with one row for each example. Each image has its own file, so that the
work can be interrupted. Images that are already gathered or packed are skipped.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, get_type_hints

import cv2
import numpy as np

from training.content_cache import save_arrays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

WEBP_QUALITY = 70

LEFT_OUT_OF = 5
"""One person out of this number is left out of all trainings."""


def is_left_out(person: str) -> bool:
    """Return whether a person is held out of every training, which depends only on the name."""
    return zlib.crc32(person.encode()) % LEFT_OUT_OF == 0


def encoded(image: Image) -> bytes:
    """Encode a crop for storage."""
    return bytes(cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])[1])


def decoded(cuts: Iterable[bytes]) -> list[Image]:
    """Decode stored crops."""
    return [np.asarray(cv2.imdecode(np.frombuffer(cut, np.uint8), cv2.IMREAD_COLOR), np.uint8) for cut in cuts]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Examples by columns: arrays, one list of stored crops named `cuts`, and dataclasses of further arrays."""

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    def take(self, rows: npt.NDArray[np.intp]) -> Self:
        """Return the rows with these numbers."""
        return _taken(self, rows)

    def parted(self, apart: npt.NDArray[np.bool_]) -> tuple[Self, Self]:
        """Return the rows outside a mask, and those inside it."""
        return self.take(np.flatnonzero(~apart)), self.take(np.flatnonzero(apart))

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Concatenate the rows of several parts."""
        return _joined(parts)

    def save(self, path: Path) -> None:
        """Write the examples to a file."""
        save_arrays(path, dict(_arrays(self)))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load examples from a file."""
        with np.load(path, allow_pickle=False) as stored:
            return _loaded(cls, stored)


def _values(record: Any) -> list[Any]:
    return [getattr(record, field.name) for field in fields(record)]


def _taken(column: Any, rows: npt.NDArray[np.intp]) -> Any:
    if is_dataclass(column):
        kind: Any = type(column)
        return kind(*(_taken(value, rows) for value in _values(column)))
    return [column[row] for row in rows] if isinstance(column, list) else column[rows]


def _joined(parts: Sequence[Any]) -> Any:
    if is_dataclass(parts[0]):
        kind: Any = type(parts[0])
        return kind(*map(_joined, zip(*map(_values, parts), strict=True)))
    return [item for part in parts for item in part] if isinstance(parts[0], list) else np.concatenate(parts)


def _arrays(record: Any) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    for field, column in zip(fields(record), _values(record), strict=True):
        if is_dataclass(column):
            yield from _arrays(column)
        elif isinstance(column, list):
            yield "pixels", np.frombuffer(b"".join(column), np.uint8)
            yield "lengths", np.array([len(cut) for cut in column], np.int64)
        else:
            yield field.name, column


def _loaded(kind: type[Any], stored: Mapping[str, npt.NDArray[Any]]) -> Any:
    columns: list[Any] = []
    hints = get_type_hints(kind)
    for field in fields(kind):
        if is_dataclass(nested := hints[field.name]):
            columns.append(_loaded(nested, stored))  # type: ignore[arg-type]
        elif nested == list[bytes]:
            ends, pixels = np.cumsum(stored["lengths"]), stored["pixels"].tobytes()
            columns.append([pixels[begin:end] for begin, end in pairwise([0, *ends])])
        else:
            columns.append(stored[field.name])
    return kind(*columns)


Kind = TypeVar("Kind", bound=Columns)


@dataclass(frozen=True, slots=True)
class Gathered(Generic[Kind]):
    """Examples of one kind, gathered and packed.

    Attributes:
        kind: dataclass of the examples.
        work: folder with one file for each image, named after it.
        packed: folder of packed parts, or the one packed file.
        image_of: function that returns the image of each row.
    """

    kind: type[Kind]
    work: Path
    packed: Path
    image_of: Callable[[Kind], Iterable[str]]

    def file(self, name: str) -> Path:
        """Return the file of an image."""
        return self.work / f"{name}.npz"

    def parts(self) -> list[Kind]:
        """Load everything packed, part by part."""
        files = [self.packed] if self.packed.is_file() else sorted(self.packed.glob("*.npz"))
        return [self.kind.load(file) for file in files]

    def all(self, *beside: Path) -> Kind:
        """Load everything packed, and existing files beside it."""
        return self.kind.join([*self.parts(), *(self.kind.load(file) for file in beside if file.is_file())])

    def images(self) -> set[str]:
        """Return the names of the images with packed examples."""
        return {name for part in self.parts() for name in self.image_of(part)}

    def pack(self) -> int:
        """Pack the examples of images that are not packed yet. Return the number of new examples."""
        parts, known = self.parts(), self.images()
        files = [file for file in sorted(self.work.glob("*.npz")) if file.stem not in known]
        new = [examples for examples in map(self.kind.load, files) if len(examples)]
        if new and self.packed.suffix:
            self.kind.join([*parts, *new]).save(self.packed)
        elif new:
            self.kind.join(new).save(self.packed / f"{len(parts)}.npz")
        return sum(map(len, new))
