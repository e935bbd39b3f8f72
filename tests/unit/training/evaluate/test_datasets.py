"""Manifests and other lists: columns, lines, and group labels."""

from pathlib import Path

import pytest

from bunnymoose_cv.core.errors import InputError
from training.evaluate.datasets import (
    Cells,
    ManifestError,
    Row,
    RowKind,
    check_group_labels,
    columns_of,
    label_values,
    read_items,
    read_list,
    read_manifest,
)

COLUMNS = "id,file,kind,labels\n"


def written(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "manifest.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_manifest_line_becomes_a_row(tmp_path: Path) -> None:
    text = 'notes,kind,id,file,labels\n"two, on\none line",face,a1,b/c.jpg, tongue=out ;pose=a=b;\n'
    (row,) = read_manifest(written(tmp_path, text, "utf-8-sig")).rows
    assert (row.name, row.image, row.kind) == ("a1", tmp_path / "b/c.jpg", RowKind.FACE)
    assert row.labels == {"tongue": "out", "pose": "a=b"}
    assert row.line == 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("states_delimiter", [False, True])
def test_manifest_is_read_in_every_spreadsheet_dialect(
    tmp_path: Path, encoding: str, delimiter: str, end: str, *, states_delimiter: bool
) -> None:
    lines = [
        *([[f"sep={delimiter}"]] if states_delimiter else []),
        ["id", "file", "kind", '"labels"', '"Größe; in, cm"'],
        ["a1", "b/ä.jpg", "group", '"poses=WU WU/TS TS t;note=a,b\t"', '"9,5"'],
    ]
    (row,) = read_manifest(written(tmp_path, end.join(map(delimiter.join, lines)) + end, encoding)).rows
    assert (row.name, row.image, row.kind) == ("a1", tmp_path / "b/ä.jpg", RowKind.GROUP)
    assert row.labels == {"poses": "WU WU/TS TS t", "note": "a,b"}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("a,a.jpg,cat,faces=1", "(a) is of the unknown kind “cat”: use one of hand, head_hands, face, group"),
        ("a,a.jpg,face,faces", "has the label “faces”: a label is written key=value"),
        ("a,a.jpg,face,=1", "has the label “=1”"),
        ("a,,face,faces=1", "names no picture"),
        ("a,a.jpg,face", "names no picture"),
        ("good,a.jpg,face,faces=1", "has the id of line 2, “good”: give it another"),
        ("a,a.jpg,face,pose=a;tongue=in; pose =b", "has the label “pose” twice: leave one out"),
    ],
)
def test_bad_line_is_named_and_others_are_kept(tmp_path: Path, line: str, sentence: str) -> None:
    manifest = read_manifest(written(tmp_path, f"{COLUMNS}good,g.jpg,face,faces=1\n{line}\nlast,l.jpg,hand,\n"))
    assert [row.name for row in manifest.rows] == ["good", "last"]
    (problem,) = manifest.problems
    assert str(problem).startswith(f"Line 3 of {tmp_path}")
    assert sentence in str(problem)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"id,file,kind\n", "has no column labels: its first line must name id, file, kind, labels"),
        (b"", "has no column id and no column file and no column kind and no column labels"),
        (b"id,file,kind,labels\n\xff\xfe,a,face,\n", "must be a CSV file in UTF-8"),
        (b'id,file,kind,labels\n"a,b,face,\n', "must be a CSV file in UTF-8"),
    ],
)
def test_invalid_manifest_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "manifest.csv"
    path.write_bytes(content)
    with pytest.raises(ManifestError, match=sentence):
        read_manifest(path)


def test_missing_manifest_and_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=r"There is no .*none\.csv: check the name"):
        read_manifest(tmp_path / "none.csv")
    with pytest.raises(ManifestError, match="cannot be read"):
        read_manifest(tmp_path)


def test_list_of_mouths_is_read_by_its_own_columns(tmp_path: Path) -> None:
    path = tmp_path / "mouths.csv"
    path.write_text("file,label,note\nmouths/0001_2.jpg,in,\nmouths/3.jpg,unclear,a hand\n,in,\n", "utf-8")
    manifest = read_manifest(path)
    first, second = manifest.rows
    assert (first.name, first.image, first.kind) == ("0001_2", tmp_path / "mouths/0001_2.jpg", RowKind.MOUTH)
    assert (first.labels, second.labels["tongue"]) == ({"tongue": "in", "subject": "0001_2"}, "unclear")
    assert [str(problem) for problem in manifest.problems] == [
        f"Line 4 of {path} names no picture: it needs file, label"
    ]


def named(_: Path, cells: Cells) -> str:
    if not cells["name"]:
        raise InputError("it has no name")
    return cells["name"]


def test_bad_line_of_a_list_becomes_a_problem(tmp_path: Path) -> None:
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
def test_invalid_list_is_refused(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    path = tmp_path / "list.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ManifestError, match=sentence):
        read_list(path)


def test_unreadable_list_has_no_columns(tmp_path: Path) -> None:
    (tmp_path / "bytes.csv").write_bytes(b"name\xff")
    assert (
        columns_of(tmp_path) == columns_of(tmp_path / "none.csv") == columns_of(tmp_path / "bytes.csv") == frozenset()
    )


def row(**labels: str) -> Row:
    return Row("c", Path("c.jpg"), RowKind.SCENE, labels, 2)


@pytest.mark.parametrize(
    ("label", "players", "values"),
    [("dim", 1, ["dim"]), ("dim", 3, ["dim", "dim", "dim"]), ("dim/bright", 2, ["dim", "bright"])],
)
def test_label_has_one_value_for_all_players_or_one_each(label: str, players: int, values: list[str]) -> None:
    assert label_values(row(light=label), "light", players) == values


def test_group_label_with_a_wrong_number_of_values_is_refused() -> None:
    with pytest.raises(ManifestError, match=r"Line 2 .*\(c\) has age= for 3 seats and 2 people: write one value, or"):
        check_group_labels(row(light="dim", age="12/70/30"), 2)


def test_other_labels_may_have_any_number_of_values() -> None:
    check_group_labels(row(weather="fine/dull/wet"), 2)
