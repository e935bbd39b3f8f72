"""Reads a manifest: the list of a labelled set's pictures, one a line.

A manifest is a CSV file (UTF-8, first line the columns). We use `id`, `file` (relative to the manifest), `kind` and
`labels` (`key=value` joined by `;`); further columns and further labels are passed over. A list of mouths cut out of
their faces has `file` and `label` (`in`, `out` or anything else) instead: its rows are of the kind `mouth`, and who is
in one, its `subject`, is told by the file's own name.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.text_file import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

COLUMNS = ("id", "file", "kind", "labels")
MOUTH_COLUMNS = ("file", "label")


class ManifestError(InputError):
    """A manifest, or one line of it, cannot be used."""


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
    """One labelled picture.

    Attributes:
        name: its id.
        picture: where the file lies; of a hand of a file of landmarks, that file.
        kind: what it shows.
        labels: what a person wrote about it, by key; of a key written twice the last counts.
        line: where it stands in the manifest, the columns being line 1, or in a file of landmarks, from 0.
    """

    name: str
    picture: Path
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
    for line, cells in _cells(path):
        try:
            rows.append(_row(path, line, cells))
        except ManifestError as problem:
            problems.append(problem)
    return Manifest(tuple(rows), tuple(problems))


def _cells(path: Path) -> list[tuple[int, Mapping[str, str | None]]]:
    """Every line behind the first: where it ends in the file, and its cells by column."""
    try:
        reader = csv.DictReader(io.StringIO(read_text(path), newline=""), strict=True)
        columns = frozenset(reader.fieldnames or ())
        missing = [column for column in COLUMNS if column not in columns]
        if missing and not columns.issuperset(MOUTH_COLUMNS):
            raise ManifestError(
                f"{path} is no manifest, it has no column {' and no column '.join(missing)}:"
                f" its first line must name {', '.join(COLUMNS)}"
            )
        return [(reader.line_num, cells) for cells in reader]
    except FileNotFoundError as error:
        raise ManifestError(f"There is no {path}: check the name") from error
    except OSError as error:
        raise ManifestError(f"{path} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise ManifestError(f"{path} is no manifest: it must be a CSV file in UTF-8 ({error})") from error


def _row(path: Path, line: int, cells: Mapping[str, str | None]) -> Row:
    if not cells.keys() >= set(COLUMNS):
        return _mouth(path, line, cells)
    name, file, kind, labels = (cells[column] for column in COLUMNS)
    if name is None or not file or kind is None or labels is None:
        raise ManifestError(f"Line {line} of {path} names no picture: it needs {', '.join(COLUMNS)}")
    if kind not in {known.value for known in RowKind}:
        kinds = ", ".join(known.value for known in RowKind)
        raise ManifestError(f"Line {line} of {path} ({name}) is of the unknown kind “{kind}”: use one of {kinds}")
    return Row(name, path.parent / file, RowKind(kind), _labels(path, line, labels), line)


def _mouth(path: Path, line: int, cells: Mapping[str, str | None]) -> Row:
    file, label = (cells[column] for column in MOUTH_COLUMNS)
    if not file or label is None:
        raise ManifestError(f"Line {line} of {path} names no picture: it needs {', '.join(MOUTH_COLUMNS)}")
    picture = path.parent / file
    return Row(picture.stem, picture, RowKind.MOUTH, {"tongue": label, "subject": picture.stem}, line)


def _labels(path: Path, line: int, text: str) -> dict[str, str]:
    labels = {}
    for label in filter(None, (part.strip() for part in text.split(";"))):
        key, equals, value = label.partition("=")
        if not (key and equals):
            raise ManifestError(f"Line {line} of {path} has the label “{label}”: a label is written key=value")
        labels[key.strip()] = value.strip()
    return labels
