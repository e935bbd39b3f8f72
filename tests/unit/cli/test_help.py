"""Help: it starts quickly, and its list of commands agrees with the help of each command."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bunnymoose_cv.cli import COMMANDS, score_commands
from bunnymoose_cv.cli.games import dispute_commands, game_commands
from tests.program import Program

HEAVY = {"numpy", "cv2", "mediapipe", "av", "sounddevice", "jinja2", "starlette", "uvicorn", "PIL", "segno"}
NOT_FOR_THE_LIST = {*HEAVY, "pydantic", "rich", "sqlite3"}

IMPORTED = """
import sys
from bunnymoose_cv.cli import app
for command in sys.argv[1:] or [""]:
    app([*command.split(), "--help"], prog_name="bunnymoose", standalone_mode=False)
    print(command, *{name.partition(".")[0] for name in sys.modules}, file=sys.stderr)
"""


def imported_by(*commands: str) -> list[set[str]]:
    """Return the packages that are imported after the help of each command in turn."""
    done = subprocess.run([sys.executable, "-c", IMPORTED, *commands], capture_output=True, text=True, check=True)
    lines = done.stderr.splitlines()
    assert done.stdout.count("Usage: bunnymoose") == len(lines) == max(1, len(commands))
    return [set(line.split()) for line in lines]


@pytest.mark.process
def test_command_list_imports_no_further_packages() -> None:
    (imported,) = imported_by()
    assert imported & NOT_FOR_THE_LIST == set()


@pytest.mark.process
def test_help_of_a_command_imports_no_heavy_package() -> None:
    for command, imported in zip(COMMANDS, imported_by(*COMMANDS), strict=True):
        assert imported & HEAVY == set(), command


def test_program_without_arguments_prints_the_help_and_fails(bunnymoose: Program) -> None:
    code, out, err = bunnymoose()
    assert (code, err) == (2, "")
    assert out == bunnymoose("--help")[1]


@pytest.mark.parametrize(
    ("columns", "widest"),
    [("0", 80), ("000", 80), ("²", 80), ("wide", 80), ("1", 40), ("50", 50), ("9" * 5000, 1000)],
)
def test_terminal_width_from_the_environment_is_bounded(
    bunnymoose: Program, monkeypatch: pytest.MonkeyPatch, columns: str, widest: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    out = bunnymoose.output("deck", "list", "--help")
    assert max(map(len, out.splitlines())) == widest


@pytest.mark.parametrize("command", COMMANDS)
def test_command_list_repeats_the_first_line_of_each_help(command: str) -> None:
    lazy = COMMANDS[command]
    assert lazy.summary == (lazy.load(command).help or "").splitlines()[0]


@pytest.mark.parametrize(
    "command",
    [
        *(score_commands.score, score_commands.best),
        *(dispute_commands.contest, dispute_commands.correct, dispute_commands.undo),
        *(game_commands.list_games, game_commands.show, game_commands.export, game_commands.highlights),
        *(game_commands.replay, game_commands.delete),
    ],
    ids=lambda command: command.__name__,
)
def test_examples_of_the_help_work(
    bunnymoose: Program, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Callable[..., None]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("typer.launch", lambda _: 0)
    where = () if command in {score_commands.score, score_commands.best} else ("--games", games)
    for pose in ("-- --", "TS TS"):  # something to undo
        bunnymoose("correct", "last", "1", "Blue", pose, "--games", games)
    examples = re.findall(r"^ +bunnymoose (.*)$", command.__doc__ or "", flags=re.MULTILINE)
    assert len(examples) >= 2
    for example in examples:
        words = shlex.split(re.sub(r"2026-11-21\S*", "last", example).replace("last 3", "last 1"))
        if command is game_commands.delete:
            code, _, _ = bunnymoose(*words, *([] if "--yes" in words else ["--yes"]), *where)
            assert (code, list(games.iterdir())) == (0, [])
            return
        out = bunnymoose.output(*(word.replace("3", "1") if word == "3" else word for word in words), *where)
        assert out or command is game_commands.list_games
