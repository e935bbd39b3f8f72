"""File formats of the documentation: every command that prints JSON is there, and every key of the shared shapes."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from typer.core import TyperGroup

from bunnymoose_cv.calibration.profiles.player_profile import PlayerForm
from bunnymoose_cv.calibration.profiles.table_profile import TableForm
from bunnymoose_cv.calibration.profiles.take_form import TakeForm
from bunnymoose_cv.capture.camera_step import step_file
from bunnymoose_cv.cli import COMMANDS
from bunnymoose_cv.cli.games import kept_game_json
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

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from pydantic import BaseModel

TEXT = (Path(__file__).parents[1] / "docs" / "reference" / "formats.md").read_text("utf-8")
KEPT_SHAPES: list[type[BaseModel]] = [
    *(evidence_json.RoundShape, evidence_json.FrameEvidence, evidence_json.PlayerEvidence),
    *(evidence_json.HeadgearEvidence, evidence_json.VerdictEvidence, evidence_json.MoveEvidence),
    *(evidence_json.FilmShape, evidence_json.RepeatShape, PlayerForm, TableForm, TakeForm),
]
"""Shapes of the files in the user's data folder."""

PRINTED = (json_output, kept_game_json)
"""Modules of the objects that commands print."""


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


def test_every_command_that_prints_json_is_described() -> None:
    commands = commands_with_json()
    assert commands
    assert [command for command in commands if not is_described(command)] == []


def is_described(command: str) -> bool:
    return re.search(rf"[` ]{command}(?:`| --json| --no-screen)", TEXT) is not None


def keys_of(shapes: Sequence[type[BaseModel]]) -> set[tuple[str, str]]:
    """Return the keys of shapes, with the name of the shape."""
    keys = {(shape.__name__, key) for shape in shapes for key in shape.model_fields}
    assert keys
    return keys


def printed_keys(module: ModuleType) -> set[str]:
    """Return the keys of the objects that a module makes."""
    made = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Dict)]
    keys = {str(key.value) for node in made for key in node.keys if isinstance(key, ast.Constant)}
    assert keys
    return keys


@pytest.mark.parametrize("module", PRINTED)
def test_every_key_that_is_printed_is_named(module: ModuleType) -> None:
    keys = printed_keys(module)
    assert [key for key in sorted(keys) if not re.search(rf'["`]{key}["`]', TEXT)] == []


def test_every_key_of_a_kept_file_is_named() -> None:
    keys = keys_of(KEPT_SHAPES)
    assert [key for key in sorted(keys) if f"`{key[1]}`" not in TEXT] == []


def test_every_file_and_column_is_described() -> None:
    of_the_user = [SETTINGS_FILE, GAME_FILE, ORDER_FILE, SUFFIX, *paths_in_the_folder()]
    of_a_game = [f"{name}`" for name in (StoredGame(1, Path("game")).highlights.name, *files_of_a_round())]
    columns = [f"`{column}`" for column in COLUMNS]
    assert [name for name in (*of_the_user, *of_a_game, *columns) if name not in TEXT] == []


def test_every_file_that_a_game_begins_with_and_exports_is_described(tmp_path: Path) -> None:
    store = GameStore(tmp_path / "games")
    with store.begin(GameStarted(("Red", "Blue", "Green"), rules_for()), who="test") as file:
        begun = [path.name for path in file.folder.iterdir()]
    store.export(next(iter(store)), tmp_path / "game.zip")
    with ZipFile(tmp_path / "game.zip") as archive:
        exported = [Path(name).name for name in archive.namelist()]
    assert [name for name in {*begun, *exported} if f"`{name}`" not in TEXT] == []
