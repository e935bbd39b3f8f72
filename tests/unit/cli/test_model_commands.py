"""`bunnymoose models` lists the models with their state and origin."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bunnymoose_cv.cli.model_commands import app
from bunnymoose_cv.core.version import __version__
from bunnymoose_cv.vision import model_files
from bunnymoose_cv.vision.model_files import ModelFile, manifest, model_path, models_folder
from tests.program import Program

EVENING = Path(__file__).parents[3] / "fixtures" / "evening" / "evening.toml"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.fixture
def copied_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the models that the program uses as its own."""
    folder = tmp_path / "models"
    folder.mkdir()
    for model in ModelFile:
        shutil.copy(model_path(model), folder)
    manifest()  # cached before the folder is replaced
    monkeypatch.setattr(model_files, "bundled", lambda name: tmp_path / name)
    return folder


def test_bundled_models_pass_the_check() -> None:
    result = run("check")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [f"ready    {models_folder() / model.value}" for model in ModelFile]
    assert result.stderr == ""


def test_damaged_and_missing_models_fail_the_check(copied_models: Path) -> None:
    (copied_models / ModelFile.FACE_DETECTOR.value).write_bytes(b"half")
    (copied_models / ModelFile.HAND_LANDMARKER.value).unlink()
    result = run("check", "--json")
    assert result.exit_code == 1
    assert {line["model"]: line["state"] for line in map(json.loads, result.stdout.splitlines())} == {
        **{model.value: "ready" for model in ModelFile},
        ModelFile.HAND_LANDMARKER.value: "missing",
        ModelFile.FACE_DETECTOR.value: "damaged",
    }
    assert result.stderr == "A model is missing or damaged: install bunnymoose again\n"


@pytest.mark.parametrize("command", [["judge"], ["hand"], ["face"], ["mirror", "--no-screen", "--camera"]])
def test_command_without_its_model_is_one_sentence(
    bunnymoose: Program, copied_models: Path, party_file: Path, command: list[str]
) -> None:
    for model in ModelFile:
        (copied_models / model.value).unlink()
    assert f"is missing in {copied_models}: install bunnymoose again" in bunnymoose.refusal(*command, party_file)
    assert not list(copied_models.iterdir())


def test_play_creates_no_game_if_a_model_is_damaged(bunnymoose: Program, copied_models: Path, tmp_path: Path) -> None:
    (copied_models / ModelFile.FACE_DETECTOR.value).write_bytes(b"half")
    code, _, err = bunnymoose("play", "--script", EVENING, "--no-screen", "--games", tmp_path / "games")
    assert (code, err.count("\n")) == (2, 1)
    assert "is damaged: install bunnymoose again" in err
    assert not list(tmp_path.glob("games/*"))


def test_list_shows_origin_and_folder(copied_models: Path) -> None:
    (copied_models / ModelFile.FACE_LANDMARKER.value).unlink()
    result = run("list")
    assert result.exit_code == 0
    *models, origin = result.stdout.splitlines()
    assert [line.split()[0] for line in models] == [model.value for model in ModelFile]
    assert [line.split()[3] for line in models] == [
        "missing" if model is ModelFile.FACE_LANDMARKER else "ready" for model in ModelFile
    ]
    assert origin == (
        f"out of mediapipe 0.10.21 (Apache-2.0) and bunnymoose-cv {__version__} (Apache-2.0), kept in {copied_models}"
    )


def test_list_json_has_state_licence_and_source() -> None:
    lines = [json.loads(line) for line in run("list", "--json").stdout.splitlines()]
    assert [line["model"] for line in lines] == [model.value for model in ModelFile]
    assert {line["licence"] for line in lines} == {"Apache-2.0"}
    assert [line["source"] for line in lines] == ["mediapipe==0.10.21"] * 2 + [f"bunnymoose-cv=={__version__}"] * 8


def test_fetch_reports_that_nothing_needs_fetching() -> None:
    result = run("fetch")
    assert result.exit_code == 0
    assert result.stdout.startswith("Nothing needs to be fetched")
    assert result.stdout.count("\n") == 1
    assert result.stderr == ""


def test_fetch_is_hidden_from_the_help() -> None:
    assert "fetch" not in run("--help").stdout
