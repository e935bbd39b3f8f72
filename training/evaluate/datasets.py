"""Labelled datasets of images: manifests, and the true faces beside an image.

A manifest is a CSV file (UTF-8, first line the columns) with commas, or with semicolons or tabs, as some spreadsheets
save it. We use `id`, `file` (relative to the manifest), `kind` and `labels` (`key=value` joined by `;`). Other columns
and labels are ignored. A list of mouths cropped from their faces has `file` and `label` (`in`, `out` or anything else)
instead. Its rows are of the kind `mouth`, and their person, `subject`, is the stem of the file name.

A rendered image has a file `NAME.json` (fixtures/README.md) beside it: a single player's `face_px`, or that of each
player in `players`. Photographs have none.
"""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass
from enum import Enum
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import LARGEST_BYTES, read_bounded, read_json
from bunnymoose_cv.vision.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


Cells: TypeAlias = "Mapping[str, str | None]"
"""Cells of a line by their columns; None if the line is too short."""

Item = TypeVar("Item")

_STATED_DELIMITER = re.compile(r"sep=(.)(?:\r\n|\r|\n)", re.IGNORECASE)
"""First line that states the delimiter for Excel, which neither shows nor counts this line."""


class ManifestError(InputError):
    """Error for a manifest or another list, or one line of it, that cannot be used."""


@dataclass(frozen=True, slots=True)
class CsvList:
    """A list as it was read.

    Attributes:
        columns: names in the first line.
        lines: all other lines, each with the number of its last line in the file and its cells.
    """

    columns: frozenset[str]
    lines: tuple[tuple[int, Cells], ...]


def columns_of(path: Path) -> frozenset[str]:
    """Return the columns of a list; empty if the file cannot be read."""
    try:
        return frozenset(_reader(path).fieldnames or ())
    except (OSError, UnicodeDecodeError, csv.Error):
        return frozenset()


def read_list(path: Path) -> CsvList:
    """Read a list.

    Raises:
        ManifestError: the file cannot be read, or is not a CSV file.
    """
    try:
        reader = _reader(path)
        return CsvList(frozenset(reader.fieldnames or ()), tuple((reader.line_num, cells) for cells in reader))
    except FileNotFoundError as error:
        raise ManifestError(f"There is no {path}: check the name") from error
    except OSError as error:
        raise ManifestError(f"{path} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise ManifestError(f"{path} is no list: it must be a CSV file in UTF-8 ({error})") from error


def read_items(
    path: Path, item_of: Callable[[Path, Cells], Item]
) -> tuple[tuple[Item, ...], tuple[ManifestError, ...]]:
    """Convert each line to an item, or to an error if it cannot be used.

    Args:
        path: path of the list.
        item_of: factory of an item from the list's path and a line's cells; raises InputError if it cannot use them.

    Raises:
        ManifestError: the file cannot be read, or is not a CSV file.
    """
    items: list[Item] = []
    problems: list[ManifestError] = []
    for number, cells in read_list(path).lines:
        try:
            items.append(item_of(path, cells))
        except InputError as problem:
            problems.append(ManifestError(f"Line {number} of {path}: {problem}"))
    return tuple(items), tuple(problems)


def _reader(path: Path) -> csv.DictReader[str]:
    text = _decoded(read_bounded(path, LARGEST_BYTES))
    stated = _STATED_DELIMITER.match(text)
    text = text if stated is None else text[stated.end() :]
    heading = re.sub(r'"[^"]*"', "", re.split(r"[\r\n]", text, maxsplit=1)[0])
    delimiter = max(",;\t", key=heading.count) if stated is None else stated[1]
    return csv.DictReader(StringIO(text, newline=""), delimiter=delimiter, strict=True)


def _decoded(content: bytes) -> str:
    """Decode UTF-8, or a spreadsheet's “Unicode text”: UTF-16 with a byte order mark."""
    return content.decode("utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")


COLUMNS = ("id", "file", "kind", "labels")
MOUTH_COLUMNS = ("file", "label")


class RowKind(Enum):
    """Kind of an image, which decides the compared metrics."""

    HAND = "hand"
    HEAD_HANDS = "head_hands"
    FACE = "face"
    GROUP = "group"
    PLAYER = "player"
    SCENE = "scene"
    MOUTH = "mouth"


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled image.

    Attributes:
        name: id of the image.
        image: path of the image, or of the file of landmarks for one of its hands.
        kind: content of the image.
        labels: labels by key, as they were written.
        line: line in the manifest (the columns are line 1), or index in a file of landmarks.
    """

    name: str
    image: Path
    kind: RowKind
    labels: Mapping[str, str]
    line: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """The usable lines of a manifest, and one error for each other line."""

    rows: tuple[Row, ...]
    problems: tuple[ManifestError, ...]


def read_manifest(path: Path) -> Manifest:
    """Read a manifest.

    Raises:
        ManifestError: it cannot be read at all or lacks a column.
    """
    rows: list[Row] = []
    problems: list[ManifestError] = []
    line_of: dict[str, int] = {}
    for line, cells in _lines(path):
        try:
            row = _row(path, line, cells)
            _check_id(path, row, line_of)
            rows.append(row)
        except ManifestError as problem:
            problems.append(problem)
    return Manifest(tuple(rows), tuple(problems))


def _lines(path: Path) -> tuple[tuple[int, Cells], ...]:
    read = read_list(path)
    missing = [column for column in COLUMNS if column not in read.columns]
    if missing and not read.columns.issuperset(MOUTH_COLUMNS):
        raise ManifestError(
            f"{path} is no manifest, it has no column {' and no column '.join(missing)}:"
            f" its first line must name {', '.join(COLUMNS)}"
        )
    return read.lines


def _row(path: Path, line: int, cells: Cells) -> Row:
    if not cells.keys() >= set(COLUMNS):
        return _mouth(path, line, cells)
    name, file, kind, labels = (cells[column] for column in COLUMNS)
    if name is None or not file or kind is None or labels is None:
        raise ManifestError(f"Line {line} of {path} names no picture: it needs {', '.join(COLUMNS)}")
    if kind not in {known.value for known in RowKind}:
        kinds = ", ".join(known.value for known in RowKind)
        raise ManifestError(f"Line {line} of {path} ({name}) is of the unknown kind “{kind}”: use one of {kinds}")
    return Row(name, path.parent / file, RowKind(kind), _labels(path, line, labels), line)


def _check_id(path: Path, row: Row, line_of: dict[str, int]) -> None:
    """Refuse an id that an earlier line has. Mouths have no ids, and one file may be listed twice."""
    if row.kind is not RowKind.MOUTH and line_of.setdefault(row.name, row.line) != row.line:
        raise ManifestError(
            f"Line {row.line} of {path} has the id of line {line_of[row.name]}, “{row.name}”: give it another"
        )


def _mouth(path: Path, line: int, cells: Cells) -> Row:
    file, label = (cells[column] for column in MOUTH_COLUMNS)
    if not file or label is None:
        raise ManifestError(f"Line {line} of {path} names no picture: it needs {', '.join(MOUTH_COLUMNS)}")
    image = path.parent / file
    return Row(image.stem, image, RowKind.MOUTH, {"tongue": label, "subject": image.stem}, line)


def _labels(path: Path, line: int, text: str) -> dict[str, str]:
    labels = {}
    for label in filter(None, (part.strip() for part in text.split(";"))):
        key, equals, value = label.partition("=")
        if not (key and equals):
            raise ManifestError(f"Line {line} of {path} has the label “{label}”: a label is written key=value")
        if key.strip() in labels:
            raise ManifestError(f"Line {line} of {path} has the label “{key.strip()}” twice: leave one out")
        labels[key.strip()] = value.strip()
    return labels


def faces_beside(image: Path) -> tuple[Box, ...]:
    """Return the boxes of all faces from left to right, in pixels of the image; empty without a truth file.

    Raises:
        ManifestError: the truth cannot be read.
    """
    path = image.with_suffix(".json")
    try:
        if not path.is_file():
            return ()
        truth = read_json(path)
        players = truth.get("players", [truth])
        return tuple(_box(player["face_px"]) for player in players)
    except (OSError, ValueError, OverflowError, KeyError, TypeError, AttributeError) as error:
        raise ManifestError(
            f"{image} has a truth beside it, {path.name}, that cannot be read: mend or remove it"
        ) from error


def _box(numbers: Any) -> Box:
    x, y, width, height = map(float, numbers)
    return Box(x, y, width, height)


LABELS: Final = ("light", "skin", "age", "glasses", "hat", "hair", "beard", "bush", "mouth")
"""Labels of the manifest that make groups."""


def check_group_labels(row: Row, players: int) -> None:
    """Refuse a group label that has neither one value for all players nor one for each.

    Raises:
        ManifestError: the row has such a label.
    """
    for label in LABELS:
        if label in row.labels:
            label_values(row, label, players)


def label_values(row: Row, label: str, players: int) -> list[str]:
    """Return the value of a label for each player.

    Raises:
        ManifestError: the number of values is neither 1 nor that of the players.
    """
    values = row.labels[label].split("/")
    if len(values) not in {1, players}:
        raise ManifestError(
            f"Line {row.line} of the manifest ({row.name}) has {label}= for {len(values)} seats and {players} people:"
            " write one value, or one for each"
        )
    return values if len(values) == players else values * players
