"""File formats of the documentation: every command that prints JSON is there, and every key of the shared shapes."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from typer.core import TyperGroup

from bunnymoose_cv.calibration.profiles.player_profile import PlayerForm
from bunnymoose_cv.calibration.profiles.table_profile import TableForm
from bunnymoose_cv.calibration.profiles.take_form import TakeForm
from bunnymoose_cv.capture.camera_step import step_file
from bunnymoose_cv.cli import COMMANDS
from bunnymoose_cv.core.log import default_log_folder
from bunnymoose_cv.core.user_folder import user_folder
from bunnymoose_cv.core.user_settings import SETTINGS_FILE
from bunnymoose_cv.cues.bam_file import default_bam_path
from bunnymoose_cv.record import evidence_json
from bunnymoose_cv.record.footage_spool import SUFFIX
from bunnymoose_cv.record.game_file import GAME_FILE
from bunnymoose_cv.record.game_order import ORDER_FILE
from bunnymoose_cv.record.game_store import GameStore, default_games_folder
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.record.rounds_csv import COLUMNS
from bunnymoose_cv.record.stored_game import StoredGame
from bunnymoose_cv.referee import json_output
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.session.deck_enrolment import default_deck_folder
from bunnymoose_cv.session.practice.takes import TAKES_FILE, default_takes_folder
from bunnymoose_cv.web.auth.access_file import default_access_file
from bunnymoose_cv.web.live.setup_choices import default_choices_file

TEXT = (Path(__file__).parents[1] / "docs" / "reference" / "formats.md").read_text("utf-8")
KEPT_SHAPES = [
    *(evidence_json.RoundShape, evidence_json.FrameEvidence, evidence_json.PlayerEvidence),
    *(evidence_json.HeadgearEvidence, evidence_json.VerdictEvidence, evidence_json.MoveEvidence),
    *(evidence_json.FilmShape, evidence_json.RepeatShape, PlayerForm, TableForm, TakeForm),
]
"""Shapes of the files in the user's data folder."""

SHAPES = [shape for name, shape in vars(json_output).items() if name.endswith("Shape") and name != "_Shape"]


def files_of_a_round() -> list[str]:
    """Files of a round's evidence by name."""
    kept = round_folder(Path("game"), 1)
    return [path.name for path in (kept.json, kept.still, kept.replay, kept.times)]


def paths_in_the_folder() -> list[str]:
    """Paths of the user's data folder that modules name."""
    access = default_access_file(8080)
    named = (
        *(default_games_folder(), default_deck_folder(), default_log_folder(), default_takes_folder() / TAKES_FILE),
        *(step_file(), default_bam_path(), default_choices_file().path),
    )
    return [*(path.relative_to(user_folder()).as_posix() for path in named), access.path.name.replace("8080", "PORT")]


def commands_with_json() -> list[str]:
    """Names of the commands that take `--json`."""
    named = []
    for name, lazy in COMMANDS.items():
        command = lazy.load(name)
        inner = command.commands if isinstance(command, TyperGroup) else {}
        every = {name: command} | {f"{name} {each}": found for each, found in inner.items()}
        named += [each for each, found in every.items() if any("--json" in option.opts for option in found.params)]
    return named


@pytest.mark.parametrize("command", commands_with_json())
def test_every_command_that_prints_json_is_described(command: str) -> None:
    assert re.search(rf"[` ]{command}(?:`| --json| --no-screen)", TEXT)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_every_key_of_a_shape_is_named(shape: type[json_output.JudgementShape]) -> None:
    assert [key for key in shape.model_fields if not re.search(rf'["`]{key}["`]', TEXT)] == []


@pytest.mark.parametrize("name", [SETTINGS_FILE, GAME_FILE, ORDER_FILE, SUFFIX, *paths_in_the_folder()])
def test_a_file_of_the_users_folder_is_described(name: str) -> None:
    assert name in TEXT


@pytest.mark.parametrize("name", [StoredGame(1, Path("game")).highlights.name, *files_of_a_round()])
def test_a_file_of_a_game_is_described(name: str) -> None:
    assert f"{name}`" in TEXT


@pytest.mark.parametrize("shape", KEPT_SHAPES, ids=lambda shape: shape.__name__)
def test_every_key_of_a_kept_file_is_named(shape: type[evidence_json.RoundShape]) -> None:
    assert [key for key in shape.model_fields if f"`{key}`" not in TEXT] == []


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_of_the_rounds_is_named(column: str) -> None:
    assert f"`{column}`" in TEXT


def test_every_file_that_a_game_begins_with_and_exports_is_described(tmp_path: Path) -> None:
    store = GameStore(tmp_path / "games")
    with store.begin(GameStarted(("Red", "Blue", "Green"), rules_for()), who="test") as file:
        begun = [path.name for path in file.folder.iterdir()]
    store.export(next(iter(store)), tmp_path / "game.zip")
    with ZipFile(tmp_path / "game.zip") as archive:
        exported = [Path(name).name for name in archive.namelist()]
    assert [name for name in {*begun, *exported} if f"`{name}`" not in TEXT] == []
