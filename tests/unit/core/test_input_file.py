"""Reading of text files and JSON: malformed ones are refused at once with a sentence."""

import errno
import json
import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bunnymoose_cv.calibration.profiles.profile_files import read_exported
from bunnymoose_cv.calibration.profiles.profile_forms import ProfileKind
from bunnymoose_cv.core.errors import InputError, value_fault
from bunnymoose_cv.core.input_file import DEEPEST, LARGEST_BYTES, UNUSABLE, FormError, read_json, read_toml, toml_fault
from bunnymoose_cv.core.unicode_text import as_unicode, is_unseen
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.cues.bam_file import load_bam
from bunnymoose_cv.referee.script import ScriptError, read_script
from bunnymoose_cv.rules.deck import read_deck
from training.evaluate.datasets import ManifestError, Row, RowKind, faces_beside, read_manifest
from training.evaluate.json_shape import AnyText, JsonShape
from training.evaluate.metrics import earlier_figures
from training.evaluate.truth import truth_of

READERS = {
    "deck": read_deck,
    "script": read_script,
    "profile": load_settings,
    "sound": load_bam,
    "manifest": read_manifest,
    "figures": earlier_figures,
}

TEXTS = {
    "5000 digits": b"seed = " + b"9" * 5000,
    "an endless hexadecimal": b"seed = 0x" + b"f" * 5000,
    "3000 brackets": b"title = " + b"[" * 3000,
    "dots": b".".join([b"a"] * 3000) + b" = 1",
    "a date that is none": b"a = 2024-02-31",
    "not UTF-8": b"title = \xe9",
    "a byte order of 16 bits": "seed = 1".encode("utf-16"),
    "zero bytes": bytes(100),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_malformed_text_is_refused_with_an_input_error(
    read: Callable[[Path], object], text: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "crooked"
    path.write_bytes(text)
    with pytest.raises(InputError):
        read(path)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_special_or_too_large_file_is_refused_unread(read: Callable[[Path], object], tmp_path: Path) -> None:
    pipe, large = tmp_path / "pipe", tmp_path / "large"
    os.mkfifo(pipe)
    with large.open("wb") as file:
        file.truncate(LARGEST_BYTES + 1)
    for path in (pipe, large, Path("/dev/zero"), tmp_path / "a\0b", tmp_path / ("n" * 300)):
        with pytest.raises(InputError):
            read(path)


NAMED = {
    **{name: READERS[name] for name in ("deck", "script", "profile", "sound")},
    "player": lambda path: read_exported(path, ProfileKind.PLAYER),
}
"""Readers of files that users name on the command line."""


@pytest.mark.parametrize("read", NAMED.values(), ids=NAMED)
def test_errors_about_user_files_do_not_advise_deleting_them(read: Callable[[Path], object], tmp_path: Path) -> None:
    crooked, no_text = tmp_path / "crooked.toml", tmp_path / "no text.toml"
    crooked.write_text("takes = [")
    no_text.write_bytes(b"\xff\xfe")
    sentences = []
    for path in (tmp_path / "nowhere.toml", tmp_path, crooked, no_text):
        with pytest.raises(InputError) as caught:
            read(path)
        sentences.append(str(caught.value))
    missing, folder, *others = sentences
    assert "check its name" in missing
    assert "(Is a directory): name a file" in folder
    assert not any(word in sentence for sentence in sentences for word in ("delete", "remove", "damaged"))
    assert "Is a directory" not in " ".join([missing, *others])


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file"), "cannot be read (No such file): check its name"),
        (NotADirectoryError(errno.ENOTDIR, "Not a folder"), "cannot be read (Not a folder): check its name"),
        (IsADirectoryError(errno.EISDIR, "A folder"), "cannot be read (A folder): name a file"),
        (PermissionError(errno.EACCES, "Refused"), "cannot be read (Refused): give yourself the right to read it"),
        (OSError(errno.EFBIG, "it is too large"), "cannot be read (it is too large): name another file"),
        (FormError("a bracket is open"), "cannot be read (it is no valid TOML: a bracket is open): mend it"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, UNUSABLE) else "",
)
def test_each_file_error_has_its_own_remedy(error: OSError | FormError, sentence: str) -> None:
    assert toml_fault(error) == sentence


def test_nesting_and_integer_limits_are_exact(tmp_path: Path) -> None:
    path = tmp_path / "deep"
    path.write_text("a = " + "[" * (DEEPEST - 1) + "]" * (DEEPEST - 1))
    read_toml(path)
    path.write_text("a = " + "[" * DEEPEST + "]" * DEEPEST)
    with pytest.raises(FormError, match="nested"):
        read_toml(path)
    path.write_text(f'{{"a": {2**63 - 1}}}')
    assert read_json(path) == {"a": 2**63 - 1}
    path.write_text(f'{{"a": {2**63}}}')
    with pytest.raises(FormError, match="too large"):
        read_json(path)


def test_malformed_truth_or_number_fails_only_its_line(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="cannot be read"):
        truth_of(Row("1", tmp_path / ("n" * 300 + ".jpg"), RowKind.PLAYER, {"poses": "WU WU t"}, 2))
    with pytest.raises(ManifestError, match="faces="):
        truth_of(Row("1", tmp_path / "a.jpg", RowKind.FACE, {"faces": "9" * 5000}, 2))
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    with pytest.raises(ManifestError, match="cannot be read"):
        faces_beside(deep.with_suffix(".jpg"))


def test_clip_with_an_impossible_name_is_reported_as_missing(tmp_path: Path) -> None:
    script = tmp_path / "script.toml"
    script.write_text(
        'players = ["A", "B", "C"]\n[[round]]\nclip = "' + "n" * 300 + '.mp4"\nbam_s = 1.0\ndeal = true\n'
    )
    with pytest.raises(ScriptError, match="there is no clip"):
        read_script(script)


@pytest.mark.parametrize(
    ("text", "kept"), [("Žofie 👩\u200d🎤.mp4", "Žofie 👩\u200d🎤.mp4"), ("c\udcff.mp4", "c\\udcff.mp4"), ("", "")]
)
def test_undecodable_bytes_are_escaped_in_text(text: str, kept: str) -> None:
    assert as_unicode(text) == kept
    assert as_unicode(kept) == kept


@pytest.mark.parametrize("letter", ["\n", "\x1b", "\x9b", "\u200b", "\u202e", "\ufeff", "\u2028", "\udcff", "\xad"])
def test_invisible_character_is_unseen(letter: str) -> None:
    assert is_unseen(letter)


@pytest.mark.parametrize("letter", ["a", "é", " ", "\u0301", "🐰", "\u200d", "\u200c"])
def test_letters_accents_and_joiners_are_seen(letter: str) -> None:
    assert not is_unseen(letter)


class Shape(JsonShape):
    first: AnyText
    second: int | None = None
    third: int | None = Field(default=None, alias="the third")


@pytest.mark.parametrize(
    ("shape", "line"),
    [
        (Shape(first="é"), '{"first": "\\u00e9"}'),
        (Shape(second=None, first="a"), '{"first": "a", "second": null}'),
        (Shape.model_validate({"the third": 3, "first": "a"}), '{"first": "a", "the third": 3}'),
    ],
)
def test_json_line_keeps_key_order_and_omits_unset_keys(shape: Shape, line: str) -> None:
    assert shape.line() == line


def test_json_line_can_keep_letters_and_round_trips_undecodable_names() -> None:
    assert Shape(first="é").line(ascii_only=False) == '{"first": "é"}'
    name = b"ant\xffler.jpg".decode("utf-8", "surrogateescape")
    assert json.loads(Shape(first=name).line())["first"] == name


def test_unknown_json_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        Shape.model_validate({"first": "a", "fourth": 4})


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Polygon(BaseModel):
    model_config = ConfigDict(extra="forbid")
    sides: int = Field(default=3)


class Named(BaseModel):
    name: str


def refuse(value: int) -> int:
    raise ValueError(f"{value} is the seat of nobody.")


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        (int, "x", "has to be a whole number, not “x”"),
        (int, 6.5, "has to be a whole number, not 6.5"),
        (int, "9" * 5000, "has to be a whole number"),
        (str, 9**500, "has to be a text"),
        (str, 1234567, "has to be a text, not 1234567"),
        (float, "", "has to be a number, not “”"),
        (Annotated[float, Field(allow_inf_nan=False)], float("inf"), "has to be a finite number, not inf"),
        (bool, "perhaps", "has to be true or false, not “perhaps”"),
        (str, True, "has to be a text, not true"),
        (list[int], 3, "has to be a list, not 3"),
        (dict[str, int], [1], "has to be a table"),
        (Polygon, "x", "has to be a table, not “x”"),
        (Polygon, {"corners": 3}, "is nothing that belongs there"),
        (Named, {}, "is missing"),
        (Colour, "green", "has to be 'red' or 'blue', not “green”"),
        (Literal["first", "second"], "third", "has to be 'first' or 'second', not “third”"),
        (Annotated[int, Field(ge=3)], 2, "has to be at least 3, not 2"),
        (Annotated[int, Field(gt=3)], 3, "has to be more than 3, not 3"),
        (Annotated[float, Field(le=0.5)], 0.75, "has to be at most 0.5, not 0.75"),
        (Annotated[float, Field(le=0.5)], 0.50000001, "has to be at most 0.5, not 0.50000001"),
        (Annotated[float, Field(lt=1)], 1.0, "has to be less than 1, not 1"),
        (Annotated[list[int], Field(min_length=2)], [1], "has to hold at least 2"),
        (Annotated[list[int], Field(max_length=1)], [1, 2], "has to hold at most 1"),
        (Annotated[str, Field(min_length=2)], "x", "has to have at least 2 characters"),
        (Annotated[str, Field(max_length=2)], "xyz", "has to have at most 2 characters"),
        (Annotated[int, AfterValidator(refuse)], 7, "7 is the seat of nobody"),
    ],
)
def test_validation_error_is_described_in_plain_words(kind: Any, value: object, words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind).validate_python(value)
    assert value_fault(caught.value.errors()[0]) == words
