"""The door of text files: decks, scripts, profiles, learnt sounds and manifests are refused by a sentence, at once."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.profiles.profile_files import read_exported
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.text_file import DEEPEST, LARGEST_BYTES, UNUSABLE, FormError, read_json, read_toml, toml_fault
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.cues.bam_file import load_bam
from bunnymoose_cv.referee.script import ScriptError, read_script
from bunnymoose_cv.rules.deck import read_deck
from training.evaluate.datasets import ManifestError, Row, RowKind, faces_beside, read_manifest
from training.evaluate.metrics import earlier_figures
from training.evaluate.truth import truth_of

if TYPE_CHECKING:
    from collections.abc import Callable

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
def test_a_crooked_text_is_refused_by_a_sentence(read: Callable[[Path], object], text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "crooked"
    path.write_bytes(text)
    with pytest.raises(InputError):
        read(path)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_what_is_no_file_of_a_usual_size_is_refused_unread(read: Callable[[Path], object], tmp_path: Path) -> None:
    pipe, large = tmp_path / "pipe", tmp_path / "large"
    os.mkfifo(pipe)
    with large.open("wb") as file:
        file.truncate(LARGEST_BYTES + 1)
    for path in (pipe, large, Path("/dev/zero"), tmp_path / "a\0b", tmp_path / ("n" * 300)):
        with pytest.raises(InputError):
            read(path)


NAMED = {
    "deck": read_deck,
    "script": read_script,
    "profile": load_settings,
    "sound": load_bam,
    "player": lambda path: read_exported(path, ProfileKind.PLAYER),
}
"""Readers of the files that people name on the command line."""


@pytest.mark.parametrize("read", NAMED.values(), ids=NAMED)
def test_a_file_that_a_person_named_is_never_to_be_deleted(read: Callable[[Path], object], tmp_path: Path) -> None:
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
def test_each_fault_of_a_file_has_its_own_remedy(error: OSError | FormError, sentence: str) -> None:
    assert toml_fault(error) == sentence


def test_a_bound_is_exact(tmp_path: Path) -> None:
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


def test_a_crooked_truth_or_number_stops_one_line_alone(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="cannot be read"):
        truth_of(Row("1", tmp_path / ("n" * 300 + ".jpg"), RowKind.PLAYER, {"poses": "WU WU t"}, 2))
    with pytest.raises(ManifestError, match="faces="):
        truth_of(Row("1", tmp_path / "a.jpg", RowKind.FACE, {"faces": "9" * 5000}, 2))
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    with pytest.raises(ManifestError, match="cannot be read"):
        faces_beside(deep.with_suffix(".jpg"))


def test_a_clip_of_an_impossible_name_is_not_there(tmp_path: Path) -> None:
    script = tmp_path / "script.toml"
    script.write_text(
        'players = ["A", "B", "C"]\n[[round]]\nclip = "' + "n" * 300 + '.mp4"\nbam_s = 1.0\ndeal = true\n'
    )
    with pytest.raises(ScriptError, match="there is no clip"):
        read_script(script)
