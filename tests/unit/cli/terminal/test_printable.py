"""Terminal output escapes control characters of untrusted text."""

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
from bunnymoose_cv.cli.framework.named_files import process_inputs
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.cli.terminal.echo import LONGEST, echo, escaped, printable
from bunnymoose_cv.core import exhaustion
from bunnymoose_cv.core.exhaustion import OUT_OF_MEMORY
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
def test_control_characters_are_escaped_and_letters_kept(text: str, shown: str) -> None:
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
def test_refusal_with_a_line_break_in_its_input_is_one_line(
    words: tuple[str, ...], bunnymoose: Program, played_games: Path, tmp_path: Path
) -> None:
    folder = ["--games", str(played_games if words[0] == "games" else tmp_path)]
    assert "A\\nb" in bunnymoose.refusal(*words, *(folder if words[0] in {"games", "play"} else ()))


def test_long_text_is_shortened_in_the_middle() -> None:
    shown = printable("begins" + "x" * 100_000 + "ends")
    assert len(shown) < LONGEST + 10
    assert shown.startswith("begins")
    assert shown.endswith("ends")


def _fails_with(error: BaseException) -> NoReturn:
    raise error


def test_fault_in_one_source_is_reported_and_the_others_are_processed(capsys: pytest.CaptureFixture[str]) -> None:
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
def test_exhausted_memory_is_reported_as_such(
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


def test_json_line_is_escaped_and_keeps_its_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    given = {"player": f"{EVIL}\xad\U000e0041", "long": "x" * 100_000}
    echo(json.dumps(given, ensure_ascii=False))
    out = capsys.readouterr().out
    assert not any(unicodedata.category(letter) in {"Cc", "Cf"} for letter in out[:-1])
    assert json.loads(out) == given


def test_sentence_on_stderr_has_a_maximum_length(capsys: pytest.CaptureFixture[str]) -> None:
    echo(EVIL + "x" * 100_000, err=True)
    err = capsys.readouterr().err
    assert err.startswith(SHOWN)
    assert len(err) < LONGEST + 100


def _row(cell: RenderableType) -> Table:
    grid = Table("who")
    grid.add_row(cell)
    return grid


@pytest.mark.parametrize("wrapped", [str, Text, lambda text: Panel(Text(text)), lambda text: _row(Text(text)), _row])
def test_tables_and_styled_texts_escape_control_characters(wrapped: Callable[[str], RenderableType]) -> None:
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
def test_usage_errors_escape_and_shorten_the_input(words: tuple[str, ...], bunnymoose: Program) -> None:
    err = bunnymoose.refusal(*words)
    assert "\x1b" not in err
    assert "\x9b" not in err
    assert len(err) < 3 * LONGEST


def test_no_command_bypasses_the_safe_output_functions() -> None:
    """Use `cli.echo` for lines and `cli.terminal` for tables instead of the functions of typer and rich."""
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
