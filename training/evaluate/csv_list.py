"""Lists in CSV files (UTF-8, first line the columns): manifests, lists of people, of cards."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.text_file import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

Cells: TypeAlias = "Mapping[str, str | None]"
"""Cells of a line by their columns; None where the line is too short."""

Item = TypeVar("Item")


class ManifestError(InputError):
    """A manifest or another list, or one line of it, cannot be used."""


@dataclass(frozen=True, slots=True)
class CsvList:
    """A list as it was read.

    Attributes:
        columns: named by the first line.
        lines: all others, each with the number of its last line in the file and its cells.
    """

    columns: frozenset[str]
    lines: tuple[tuple[int, Cells], ...]


def columns_of(path: Path) -> frozenset[str]:
    """The columns of a list; none of a file that cannot be read."""
    try:
        return frozenset(_reader(path).fieldnames or ())
    except (OSError, UnicodeDecodeError, csv.Error):
        return frozenset()


def read_list(path: Path) -> CsvList:
    """Read a list.

    Raises:
        ManifestError: the file cannot be read, or is no CSV file.
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
    """Read what each line stands for, and one error for each line that cannot be used.

    Args:
        path: of the list.
        item_of: makes an item of the list's path and a line's cells; raises InputError where they cannot be used.

    Raises:
        ManifestError: the file cannot be read, or is no CSV file.
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
    return csv.DictReader(StringIO(read_text(path), newline=""), strict=True)
