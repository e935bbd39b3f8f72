"""MediaPipe's models are made as the manifest says, kept whole, and made again when they are not."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.vision.model_files import (
    CACHE_VARIABLE,
    MediaPipeModel,
    ModelError,
    ModelState,
    fetch_models,
    manifest,
    model_path,
    model_state,
    models_folder,
)
from bunnymoose_cv.vision.wheel import download_wheel

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MediaPipe's wheel: the file that BUNNYMOOSE_TEST_WHEEL names, or else got as anybody gets it."""
    named = os.environ.get("BUNNYMOOSE_TEST_WHEEL")
    return Path(named) if named else download_wheel(manifest().wheel, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def made_models(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with all models, made out of the wheel once."""
    cache = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(cache))
        fetch_models(wheel)
    return cache


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def full_cache(empty_cache: Path, made_models: Path) -> Path:
    shutil.copytree(made_models, empty_cache)
    return empty_cache


def states() -> list[ModelState]:
    return [model_state(entry) for entry in manifest().entries]


ALL_READY = [ModelState.READY] * len(MediaPipeModel)


def test_the_manifest_has_every_model_once() -> None:
    assert {entry.model for entry in manifest().entries} == set(MediaPipeModel)
    assert len(manifest().entries) == len(MediaPipeModel)


def test_the_models_come_out_as_the_manifest_says(full_cache: Path) -> None:
    assert states() == ALL_READY
    assert {path.name for path in full_cache.rglob("*") if path.is_file()} == {model.value for model in MediaPipeModel}
    for entry in manifest().entries:
        assert (models_folder() / entry.model.value).stat().st_size == entry.size_bytes


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def remove(path: Path) -> None:
    path.unlink()


@pytest.mark.usefixtures("full_cache")
@pytest.mark.parametrize("model", list(MediaPipeModel))
@pytest.mark.parametrize(
    ("damage", "state"),
    [
        (cut_short, ModelState.DAMAGED),
        (flip_a_bit, ModelState.DAMAGED),
        (empty, ModelState.DAMAGED),
        (remove, ModelState.MISSING),
    ],
)
def test_damage_is_noticed_and_only_that_model_made_again(
    wheel: Path, model: MediaPipeModel, damage: Callable[[Path], None], state: ModelState
) -> None:
    written = {path: path.stat().st_mtime_ns for path in models_folder().iterdir()}
    damage(models_folder() / model.value)
    assert states() == [state if entry.model is model else ModelState.READY for entry in manifest().entries]
    fetch_models(wheel)
    assert states() == ALL_READY
    changed = {path.name for path, time_ns in written.items() if path.stat().st_mtime_ns != time_ns}
    assert changed == {model.value}


def test_what_another_process_has_half_written_counts_for_nothing(empty_cache: Path) -> None:
    models_folder().mkdir(parents=True)
    (models_folder() / "hand_landmarker_full.task.77.part").write_bytes(b"half")
    assert states() == [ModelState.MISSING] * len(MediaPipeModel)
    assert empty_cache.exists()


def test_the_first_use_fetches_through_pip_and_shows_it_on_stderr(
    wheel: Path, empty_cache: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    path = model_path(MediaPipeModel.FACE_DETECTOR)
    assert path.is_relative_to(empty_cache)
    assert states() == ALL_READY
    shown = capfd.readouterr()
    assert shown.out == ""
    assert "mediapipe 0.10.21" in shown.err

    flip_a_bit(path)
    assert model_path(MediaPipeModel.FACE_DETECTOR) == path
    assert states() == ALL_READY


@pytest.mark.usefixtures("full_cache")
def test_a_full_cache_needs_no_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert all(model_path(model).is_file() for model in MediaPipeModel)


@pytest.mark.usefixtures("empty_cache")
def test_without_a_network_the_sentence_tells_the_way_round_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(ModelError, match=r"could not be fetched .*pip says “.*“bunnymoose models fetch --from WHEEL”"):
        model_path(MediaPipeModel.HAND_LANDMARKER)


@pytest.mark.usefixtures("empty_cache")
def test_without_pip_the_sentence_tells_the_way_round_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ModelError, match=r"has no pip .*“bunnymoose models fetch --from WHEEL”"):
        model_path(MediaPipeModel.HAND_LANDMARKER)


def no_wheel(path: Path) -> None:
    path.write_text("Bunny, bunny, moose!")


def other_wheel(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as files:
        files.writestr("other/__init__.py", "")


def wheel_with_other_models(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as files:
        for entry in manifest().entries:
            for part in entry.parts:
                if part.path not in files.namelist():
                    files.writestr(part.path, b"another model")


def damaged_wheel(path: Path) -> None:
    wheel_with_other_models(path)
    path.write_bytes(path.read_bytes().replace(b"another model", b"anothre model"))


def nothing(_: Path) -> None:
    """There is no such file."""


@pytest.mark.usefixtures("empty_cache")
@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (nothing, "There is no wheel"),
        (Path.mkdir, "cannot be read"),
        (no_wheel, "is damaged or no wheel"),
        (damaged_wheel, "is damaged or no wheel"),
        (other_wheel, "it must be a wheel of mediapipe 0.10.21"),
        (wheel_with_other_models, "it must be a wheel of mediapipe 0.10.21"),
    ],
)
def test_a_wheel_that_will_not_do_is_refused(make: Callable[[Path], None], sentence: str, tmp_path: Path) -> None:
    make(tmp_path / "given.whl")
    with pytest.raises(ModelError, match=sentence) as caught:
        fetch_models(tmp_path / "given.whl")
    assert "\n" not in str(caught.value)
    assert states() == [ModelState.MISSING] * len(MediaPipeModel)


def test_a_cache_that_cannot_be_written_is_named(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))
    with pytest.raises(ModelError, match=f"cannot be kept in .*{CACHE_VARIABLE}"):
        fetch_models(wheel)


def test_several_processes_at_once_leave_whole_models(wheel: Path, empty_cache: Path) -> None:
    program = (
        "import sys, pathlib; from bunnymoose_cv.vision.model_files import fetch_models; "
        "fetch_models(pathlib.Path(sys.argv[1]))"
    )
    processes = [subprocess.Popen([sys.executable, "-c", program, str(wheel)]) for _ in range(3)]
    assert [process.wait(120) for process in processes] == [0, 0, 0]
    assert states() == ALL_READY
    assert not list(empty_cache.rglob("*.part"))
