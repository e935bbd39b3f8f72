"""Labelled datasets of hand landmarks, and the hands that the network has not seen in training.

A file is an `.npz` of equally long arrays, with a row for each hand. Other arrays are ignored:

| array | content |
|---|---|
| `source`, `subject` | data set, and person in it |
| `label_original` | the label of the source |
| `handedness` | `left` or `right` as MediaPipe saw it; empty if it was not kept |
| `fingers_out` | letters of I M R P that are out, `0` for no finger; empty if the label leaves them open |
| `thumb` | `out`, `tucked`, `along` (beside the index finger); empty if the label leaves it open |
| `spread` | `wide`, `compact`, `crossed` or empty |
| `form` | `straight`, `curled` or empty |
| `geom_agrees` | 1 or 0: whether as many fingers are out as the label says; -1 if the label does not say |
| `xyz` | MediaPipe's points, shape (n, 21, 3), x to the right, y down, neither turned nor mirrored; z may be NaN |

Fingers and thumb make the kind (hand_labels.py); crossed fingers leave it open. A hand is judged if its kind is known
and its landmarks do not contradict the label. If they do (`geom_agrees` 0), MediaPipe has mostly misplaced a finger.
The landmarks are then those of another hand than the label's, and this evaluation is only about reading landmarks. The
photographs show how often that happens at the table.

`models/left_out/hands.toml` lists, for each source of training landmarks, the people whom the network has not seen.
The network has not seen any people of other sources. `training/headgear/train_hands.py` writes the file.
"""

from __future__ import annotations

import tomllib
import zipfile
import zlib
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.core.input_file import open_regular
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.detections import HAND_POINTS, HandLandmarks
from training.evaluate.datasets import Row, RowKind
from training.evaluate.hand_labels import HandLabels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from training.evaluate.headgear_fields import HeadgearFields

SUFFIX: Final = ".npz"

TEXTS: Final = ("source", "subject", "label_original", "handedness", "fingers_out", "thumb", "spread", "form")

_NUMBERS: Final[Mapping[str, tuple[str, str, tuple[int, ...]]]] = {
    "geom_agrees": ("i", "whole numbers", ()),
    "xyz": ("f", "fractions", (HAND_POINTS, 3)),
}
"""Arrays of numbers: numpy's letter for their type, the type in words, and the shape of a row."""

ARRAYS: Final = (*TEXTS, *_NUMBERS)

_CROSSED: Final = "crossed"

_SIDES: Final[Mapping[str, Side]] = {"left": Side.LEFT, "right": Side.RIGHT, "": Side.LEFT}
"""Side by its word; a hand of unknown side is read as a left one, as in training."""

_FINGERS: Final = tuple("".join(letters) for count in range(1, 5) for letters in combinations("IMRP", count))
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "handedness": tuple(_SIDES),
    "fingers_out": ("", "0", *_FINGERS),
    "thumb": ("", "out", "tucked", "along"),
    "spread": ("", "wide", "compact", _CROSSED),
    "form": ("", "straight", "curled"),
}
"""Words of an array; the empty one leaves the label open."""

_CONTRADICTED: Final = 0

_Arrays: TypeAlias = dict[str, npt.NDArray[Any]]


class LandmarkFileError(InputError):
    """Error for a file of landmarks that cannot be used."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledHand:
    """One hand that can be judged.

    Attributes:
        row: name, and `source`, `subject` and `label` as labels; its image is the file of landmarks.
        hand: landmarks as MediaPipe would give them, in palms instead of pixels and metres.
    """

    row: Row
    hand: HandLandmarks
    labels: HandLabels

    @property
    def truth(self) -> HeadgearFields:
        """Fields that the labels give."""
        return self.labels.as_kind(self.labels.kind)


@dataclass(frozen=True, slots=True, eq=False)
class LandmarkFile:
    """The hands of a file that can be judged, and the numbers of the others.

    Attributes:
        hands: hands in the order of the file.
        undecided: number of hands whose label leaves the kind open.
        contradicted: number of hands whose landmarks contradict the label.
    """

    hands: tuple[LabelledHand, ...]
    undecided: int
    contradicted: int


def read_landmark_file(path: Path) -> LandmarkFile:
    """Read a file of labelled hand landmarks.

    Raises:
        LandmarkFileError: the file is missing or of another form, or an array is missing or holds something else.
    """
    arrays = _checked(path, _arrays(path))
    labels = _labels(arrays)
    decided = np.array([label.kind is not None for label in labels], np.bool_)
    contradicted = decided & (arrays["geom_agrees"] == _CONTRADICTED)
    rows = np.flatnonzero(decided & ~contradicted)
    hands = (_hand(path, arrays, int(row), labels[row]) for row in rows)
    return LandmarkFile(tuple(hands), int((~decided).sum()), int(contradicted.sum()))


def _labels(arrays: _Arrays) -> list[HandLabels]:
    """Return the labels of every row; those of crossed fingers leave everything open."""
    columns = (arrays[name].tolist() for name in ("fingers_out", "thumb", "spread", "form"))
    return [HandLabels() if row[2] == _CROSSED else HandLabels.of_letters(*row) for row in zip(*columns, strict=True)]


_DAMAGED: Final = (
    OSError,
    ValueError,
    TypeError,
    LookupError,
    EOFError,
    RuntimeError,
    MemoryError,
    zipfile.BadZipFile,
    zlib.error,
)
"""Errors from reading files that are something else, damaged, or hold Python objects."""


def _arrays(path: Path) -> _Arrays:
    try:
        with open_regular(path) as file, np.load(file, allow_pickle=False) as stored:
            missing = [name for name in ARRAYS if name not in stored]
            if not missing:
                return {name: np.asarray(stored[name]) for name in ARRAYS}
    except FileNotFoundError as error:
        raise LandmarkFileError(f"There is no {path}: check the name") from error
    except (PermissionError, IsADirectoryError) as error:
        raise LandmarkFileError(f"{path} cannot be read: {error.strerror}") from error
    except _DAMAGED as error:
        raise LandmarkFileError(
            f"{path} is no file of landmarks: it must be an undamaged .npz of numpy, without Python objects"
        ) from error
    raise LandmarkFileError(
        f"{path} is no file of landmarks, it has no array {' and no array '.join(missing)}:"
        f" it must hold {', '.join(ARRAYS)}"
    )


def _checked(path: Path, arrays: _Arrays) -> _Arrays:
    for name in TEXTS:
        if arrays[name].dtype.kind != "U" or arrays[name].ndim != 1:
            raise LandmarkFileError(f"{path} has an array {name} that is no list of words: write one word a hand")
    for name, (kind, words, shape) in _NUMBERS.items():
        if arrays[name].dtype.kind != kind or arrays[name].shape[1:] != shape or not arrays[name].ndim:
            wanted = ", ".join(map(str, ("hands", *shape)))
            raise LandmarkFileError(f"{path} has an array {name} of another shape: it must be {words}, ({wanted})")
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise LandmarkFileError(f"{path} has arrays of unequal length ({listed}): each must have one row a hand")
    for name, known in _WORDS.items():
        _check_words(path, name, arrays[name], known)
    placed = np.isfinite(arrays["xyz"][..., :2]).all((1, 2)) & ~np.isinf(arrays["xyz"]).any((1, 2))
    if not placed.all():
        row = int(np.argmin(placed))
        raise LandmarkFileError(f"{path} has a hand without a place (row {row} of xyz): only z may be NaN")
    return arrays


def _check_words(path: Path, name: str, words: npt.NDArray[np.str_], known: tuple[str, ...]) -> None:
    unknown = np.flatnonzero(~np.isin(words, known))
    if len(unknown):
        row = int(unknown[0])
        raise LandmarkFileError(
            f"{path} has the unknown {name} “{words[row]}” (row {row}):"
            f" use {', '.join(filter(None, known))} or leave it empty"
        )


def _hand(path: Path, arrays: _Arrays, row: int, hand_labels: HandLabels) -> LabelledHand:
    source, subject, label, handedness = (str(arrays[name][row]) for name in TEXTS[:4])
    labels = {"source": source, "subject": subject, "label": label}
    points = np.asarray(arrays["xyz"][row], np.float32)
    return LabelledHand(
        Row(f"{source}/{subject}/{label}/{row}", path, RowKind.HAND, labels, row),
        HandLandmarks(points, points, _SIDES[handedness], 1.0),
        hand_labels,
    )


_LIST: Final = bundled("models/left_out/hands.toml")


def unseen(hands: Iterable[LabelledHand], people: Path = _LIST) -> tuple[LabelledHand, ...]:
    """Return the hands of people whom the network has not seen in training.

    Args:
        hands: hands of any people.
        people: path of the list of unseen people.

    Raises:
        InputError: the list is missing, as in an installed program.
    """
    if not people.is_file():
        raise InputError(
            f"Hands can only be judged where it is known whom the net has learnt from, and there is no {people}:"
            " run this in a checkout"
        )
    unseen_of = {source: set(listed["unseen"]) for source, listed in tomllib.loads(people.read_text("utf-8")).items()}
    return tuple(hand for hand in hands if _is_unseen(hand, unseen_of))


def _is_unseen(hand: LabelledHand, unseen_of: dict[str, set[str]]) -> bool:
    source, subject = hand.row.labels["source"], hand.row.labels["subject"]
    return source not in unseen_of or subject in unseen_of[source]
