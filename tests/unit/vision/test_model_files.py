"""The bundled models: damage is reported in one sentence, and nothing is fetched or written."""

import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision import model_files
from bunnymoose_cv.vision.model_files import ModelError, ModelFile, ModelState, manifest, model_path, model_state
from bunnymoose_cv.vision.reader import Reader


@pytest.fixture
def copied_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the models that the program uses as its own."""
    folder = tmp_path / "models"
    folder.mkdir()
    for model in ModelFile:
        shutil.copy(bundled(f"models/{model.value}"), folder)
    manifest()  # cached before the folder is replaced
    monkeypatch.setattr(model_files, "bundled", lambda name: tmp_path / name)
    return folder


def states() -> list[ModelState]:
    return [model_state(entry) for entry in manifest()]


def test_manifest_lists_the_bundled_models_once_each() -> None:
    assert {entry.model for entry in manifest()} == set(ModelFile)
    assert states() == [ModelState.READY] * len(ModelFile)
    for entry in manifest():
        assert model_path(entry.model).stat().st_size == entry.size_bytes


def flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def turn_into_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


FIRST = next(iter(ModelFile))


@pytest.mark.parametrize(
    ("model", "damage", "state"),
    [
        *((model, flip_a_bit, ModelState.DAMAGED) for model in ModelFile),
        *((model, Path.unlink, ModelState.MISSING) for model in ModelFile),
        (FIRST, lambda path: path.write_bytes(path.read_bytes()[:-1]), ModelState.DAMAGED),
        (FIRST, lambda path: path.write_bytes(b""), ModelState.DAMAGED),
        (FIRST, turn_into_a_folder, ModelState.DAMAGED),
    ],
)
def test_damaged_model_is_one_sentence_and_is_not_repaired(
    copied_models: Path, model: ModelFile, damage: Callable[[Path], object], state: ModelState
) -> None:
    damage(copied_models / model.value)
    before = {path: path.stat().st_mtime_ns for path in copied_models.iterdir()}
    assert states() == [state if entry.model is model else ModelState.READY for entry in manifest()]
    with pytest.raises(ModelError, match="install bunnymoose again") as caught:
        model_path(model)
    assert f" {state.value}" in str(caught.value)
    assert str(copied_models) in str(caught.value)
    assert {path: path.stat().st_mtime_ns for path in copied_models.iterdir()} == before


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b""), turn_into_a_folder])
def test_missing_or_damaged_manifest_is_one_sentence(copied_models: Path, damage: Callable[[Path], object]) -> None:
    path = copied_models / "manifest.toml"
    shutil.copy(bundled("models/manifest.toml"), path)
    damage(path)
    with pytest.raises(ModelError, match=r"The model manifest\.toml .*: install bunnymoose again"):
        manifest.__wrapped__()


def test_reader_opens_no_socket_and_starts_no_process(party_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        pytest.fail("reached out")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, forbidden)
    monkeypatch.setattr(subprocess, "Popen", forbidden)
    with Reader(load_settings()) as reader:
        assert len(reader.read(read_image(party_file)).players) == 2


@pytest.mark.parametrize("model", list(ModelFile))
def test_reader_refuses_a_damaged_model(copied_models: Path, model: ModelFile) -> None:
    flip_a_bit(copied_models / model.value)
    with pytest.raises(ModelError, match=model.value):
        Reader(load_settings())
