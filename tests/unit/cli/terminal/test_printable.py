"""Terminal output shows what it was given and obeys none of it."""

import ast
import json
import re
import sys
import unicodedata
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import NoReturn, cast

import pytest
import typer
from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bunnymoose_cv import cli
from bunnymoose_cv.capture.media_inputs import MediaInput
from bunnymoose_cv.cli.framework import exhaustion
from bunnymoose_cv.cli.framework.each_input import process_inputs
from bunnymoose_cv.cli.framework.exhaustion import OUT_OF_MEMORY
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.cli.terminal.printable import LONGEST, escaped, printable
from tests.program import Program


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x\x1b[31m.jpg", "x\\u001b[31m.jpg"),
        ("\x9b2J", "\\u009b2J"),
        ("a\rb", "a\\rb"),
        ("a\u202eb", "a\\u202eb"),
        ("\udce9", "\\udce9"),
        ("Žofie’s “Bam” ×2 👩‍🎤\n", "Žofie’s “Bam” ×2 👩‍🎤\n"),
    ],
)
def test_controls_are_escaped_and_letters_stay(text: str, shown: str) -> None:
    assert escaped(text) == shown
    assert printable(text) == shown.replace("\n", "\\n")


@pytest.mark.parametrize(
    "words",
    [
        ("play", "--no-screen", "--camera", "x.mp4", "--players", "A\nb,B,C"),
        ("profile", "delete", "player", "A\nb"),
        ("judge", "A\nb"),
        ("games", "show", "A\nb"),
        ("score", "--cards", "L.WU+1", "--pose", "A\nb"),
    ],
)
def test_a_refusal_that_repeats_a_line_break_is_one_line(
    words: tuple[str, ...], bunnymoose: Program, played_games: Path, tmp_path: Path
) -> None:
    folder = ["--games", str(played_games if words[0] == "games" else tmp_path)]
    assert "A\\nb" in bunnymoose.refusal(*words, *(folder if words[0] in {"games", "play"} else ()))


def test_a_long_text_loses_its_middle() -> None:
    shown = printable("begins" + "x" * 100_000 + "ends")
    assert len(shown) < LONGEST + 10
    assert shown.startswith("begins")
    assert shown.endswith("ends")


def _fails_with(error: BaseException) -> NoReturn:
    raise error


def test_a_fault_in_one_source_is_told_and_the_others_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    faults = {
        "a\x1b[2J.jpg": UnicodeDecodeError("utf-8", b"\xe9", 0, 1, "crooked"),
        "b.jpg": MemoryError(),
        "c.jpg": None,
    }
    seen = []

    def look(source: MediaInput) -> None:
        seen.append(source.name)
        if fault := faults[source.name]:
            _fails_with(cast("BaseException", fault))

    with pytest.raises(typer.Exit) as ended:
        process_inputs([MediaInput(name, Path(name)) for name in faults], look)
    assert ended.value.exit_code == 2
    assert seen == list(faults)
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("a\\u001b[2J.jpg cannot be used, by a fault of this program (UnicodeDecodeError")
    assert second == f"b.jpg: {OUT_OF_MEMORY}"


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("Unable to map file to memory buffer, errno=12")])
def test_exhausted_memory_is_said_as_such(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exhaustion, "has_room_in_memory", lambda: False)
    monkeypatch.setattr(cli, "_hush_libraries", lambda: None)
    monkeypatch.setattr(cli, "app", lambda: _fails_with(error))
    monkeypatch.setattr(sys, "argv", ["bunnymoose"])
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    assert capsys.readouterr().err == f"{OUT_OF_MEMORY}\n"


EVIL = "L\x1b[2J\x9b31m"
SHOWN = "L\\u001b[2J\\u009b31m"


def test_a_line_of_json_means_the_same_and_controls_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    given = {"player": f"{EVIL}\xad\U000e0041", "long": "x" * 100_000}
    echo(json.dumps(given, ensure_ascii=False))
    out = capsys.readouterr().out
    assert not any(unicodedata.category(letter) in {"Cc", "Cf"} for letter in out[:-1])
    assert json.loads(out) == given


def test_a_sentence_on_stderr_is_bounded(capsys: pytest.CaptureFixture[str]) -> None:
    echo(EVIL + "x" * 100_000, err=True)
    err = capsys.readouterr().err
    assert err.startswith(SHOWN)
    assert len(err) < LONGEST + 100


def _row(cell: RenderableType) -> Table:
    grid = Table("who")
    grid.add_row(cell)
    return grid


@pytest.mark.parametrize("wrapped", [str, Text, lambda text: Panel(Text(text)), lambda text: _row(Text(text)), _row])
def test_tables_and_styled_texts_show_and_obey_nothing(wrapped: Callable[[str], RenderableType]) -> None:
    written = StringIO()
    console = Terminal(file=written, force_terminal=True, color_system="truecolor", width=200)
    console.print(wrapped(EVIL + "x" * 10_000), style="bold", markup=False)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", written.getvalue())
    assert "\x1b[1m" in written.getvalue()
    assert SHOWN in shown
    assert "\x1b" not in shown
    assert "\x9b" not in shown
    assert shown.count("x") < LONGEST


@pytest.mark.parametrize(
    "words",
    [
        ("judge", "a.jpg", "--at", EVIL),
        ("judge", f"--{EVIL}"),
        (EVIL,),
        ("games", EVIL),
        ("judge", "a.jpg", "--at", "x" * 100_000),
    ],
)
def test_usage_errors_show_what_was_typed_and_no_more(words: tuple[str, ...], bunnymoose: Program) -> None:
    err = bunnymoose.refusal(*words)
    assert "\x1b" not in err
    assert "\x9b" not in err
    assert len(err) < 3 * LONGEST


def test_every_command_goes_through_the_safe_ways() -> None:
    """Lines by `cli.echo`, tables by `cli.terminal`: take those instead of typer's and rich's own."""
    own = {"echo.py", "terminal.py"}
    for path in sorted(Path(cli.__file__).parent.rglob("*.py")):
        calls = {
            ast.unparse(node.func)
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Call)
        }
        assert path.name in own or calls.isdisjoint({"typer.echo", "typer.secho", "print", "Console", "click.echo"}), (
            path
        )
