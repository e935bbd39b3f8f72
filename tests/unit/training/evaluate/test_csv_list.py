"""Lists in CSV files: columns, lines, and one sentence for each thing that cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from training.evaluate.csv_list import ManifestError, columns_of, read_items, read_list

if TYPE_CHECKING:
    from pathlib import Path

    from training.evaluate.csv_list import Cells


def named(_: Path, cells: Cells) -> str:
    if not cells["name"]:
        raise InputError("it has no name")
    return cells["name"]


def test_lines_become_items_and_each_bad_one_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes(b'\xef\xbb\xbfname,age\n"two\nlines",3\n,4\nlast\n')
    items, problems = read_items(path, named)
    assert columns_of(path) == read_list(path).columns == {"name", "age"}
    assert items == ("two\nlines", "last")
    assert [str(problem) for problem in problems] == [f"Line 4 of {path}: it has no name"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, r"There is no .*list\.csv: check the name"),
        (b"name\n\xff\n", "is no list: it must be a CSV file in UTF-8"),
        (b'name\n"a\n', "is no list: it must be a CSV file in UTF-8"),
    ],
)
def test_a_file_that_is_no_list(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    path = tmp_path / "list.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ManifestError, match=sentence):
        read_list(path)


def test_what_cannot_be_read_has_no_columns(tmp_path: Path) -> None:
    (tmp_path / "bytes.csv").write_bytes(b"name\xff")
    assert (
        columns_of(tmp_path) == columns_of(tmp_path / "none.csv") == columns_of(tmp_path / "bytes.csv") == frozenset()
    )
