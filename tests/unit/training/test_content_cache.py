"""Cached files are complete and are reused only for equal data, settings and code; the manifest lists our models."""

import shutil
import tomllib
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO

import numpy as np
import pytest

from bunnymoose_cv.core.folders import bundled
from training import manifest
from training.content_cache import code_of, digest, keyed, made_once, pickled_once, save_arrays
from training.paths import ROOT


class Sort(Enum):
    ONE = "one"
    OTHER = "other"


@dataclass(frozen=True)
class Example:
    values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
    name: str


ZEROS = np.zeros(6)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1, 2], [1, 3]),
        ([1, 2], [[1], 2]),
        ([[1], [2, 3]], [[1, 2], [3]]),
        (["ab", "c"], ["a", "bc"]),
        ([1], [1.0]),
        ([None], [""]),
        ([Sort.ONE], [Sort.OTHER]),
        ([ZEROS], [np.ones(6)]),
        ([ZEROS], [ZEROS.reshape(2, 3)]),
        ([ZEROS], [ZEROS.astype(np.float32)]),
        ([np.array(["Ann"])], [np.array(["Ben"])]),
        ([Example(ZEROS, "Ann")], [Example(ZEROS, "Ben")]),
        ([Example(ZEROS, "Ann")], [Example(np.ones(6), "Ann")]),
        ([{"weight": ZEROS}], [{"bias": ZEROS}]),
        ([b"cut"], [b"cat"]),
    ],
    ids=str,
)
def test_different_content_has_different_digests(one: list[object], other: list[object]) -> None:
    assert digest(*one) == digest(*one)
    assert digest(*one) != digest(*other)


def test_equal_content_has_equal_digests_in_any_place_or_layout(tmp_path: Path) -> None:
    files = [tmp_path / "one.jpg", tmp_path / "elsewhere" / "other.jpg"]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"picture")
    assert digest(files[0]) == digest(files[1])
    assert digest(np.arange(6).reshape(2, 3).T) == digest(np.arange(6).reshape(2, 3).T.copy())
    assert digest([1, 2]) == digest((1, 2)) == digest(iter([1, 2]))
    files[1].write_bytes(b"another")
    assert digest(files[0]) != digest(files[1])


def test_object_without_content_has_no_digest() -> None:
    with pytest.raises(TypeError, match="a object has no digest"):
        digest(object())


def test_keyed_file_keeps_its_folder_and_suffix(tmp_path: Path) -> None:
    file = keyed(tmp_path / "side.pt", ZEROS, 1)
    assert (file.parent, file.suffix) == (tmp_path, ".pt")
    assert file.name.startswith("side_")
    assert file != keyed(tmp_path / "side.pt", ZEROS, 2)


def test_objects_are_cached_by_key(tmp_path: Path) -> None:
    made: list[str] = []

    def make(name: str) -> list[str]:
        made.append(name)
        return [name]

    def kept(name: str) -> list[str]:
        return pickled_once(keyed(tmp_path / "work" / "sides.pickle", name), lambda: make(name))

    assert [kept("old"), kept("old"), kept("new"), kept("old")] == [["old"], ["old"], ["new"], ["old"]]
    assert made == ["old", "new"]


def test_interrupted_file_is_removed(tmp_path: Path) -> None:
    def broken(part: Path) -> None:
        part.write_bytes(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made_once(tmp_path / "views.npz", broken)
    assert not [*tmp_path.iterdir()]


def test_interrupted_save_keeps_the_previous_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "sides.npz"
    save_arrays(file, {"values": ZEROS})

    def broken(written: IO[bytes], **_: object) -> None:
        written.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", broken)
    with pytest.raises(KeyboardInterrupt):
        save_arrays(file, {"values": np.ones(6)})
    with np.load(file) as stored:
        assert np.array_equal(stored["values"], ZEROS)
    assert [path.name for path in tmp_path.iterdir()] == ["sides.npz"]


def test_code_includes_the_imported_training_modules() -> None:
    names = {str(file.relative_to(ROOT / "training")) for file in code_of(ROOT / "training/headgear/side_net.py")}
    assert {
        "headgear/side_net.py",
        "headgear/composites.py",
        "augmentation.py",
        "trunk.py",
        "training_loop.py",
    } <= names
    assert not names & {"headgear/train_sides.py", "tongue/net.py"}


def test_code_includes_members_imported_through_their_package() -> None:
    assert ROOT / "training/headgear/gather.py" in code_of(ROOT / "training/headgear/__main__.py")


def test_manifest_records_a_rewritten_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = bundled("models/manifest.toml").read_text(encoding="utf-8")
    for entry in tomllib.loads(before)["trained"]:
        shutil.copy(bundled(f"models/{entry['file']}"), tmp_path)
    (tmp_path / "manifest.toml").write_text(before, encoding="utf-8")
    monkeypatch.setattr(manifest, "MODELS", tmp_path)
    monkeypatch.setattr(manifest, "_MANIFEST", tmp_path / "manifest.toml")
    manifest.record_models()
    assert (tmp_path / "manifest.toml").read_text(encoding="utf-8") == before
    (tmp_path / "side.onnx").write_bytes(b"abc")
    manifest.record_models()
    was, now = (tomllib.loads(text) for text in (before, (tmp_path / "manifest.toml").read_text(encoding="utf-8")))
    changed = [entry for entry in now["trained"] if entry not in was["trained"]]
    assert [(entry["file"], entry["size_bytes"], entry["sha256"][:8]) for entry in changed] == [
        ("side.onnx", 3, "ba7816bf")
    ]
    assert (now["wheel"], now["model"]) == (was["wheel"], was["model"])
