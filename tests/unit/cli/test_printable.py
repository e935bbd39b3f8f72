"""Terminal output shows what it was given and obeys none of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn, cast

import pytest
import typer

from bunnymoose_cv import cli
from bunnymoose_cv.capture.media_inputs import MediaInput
from bunnymoose_cv.cli.each_input import process_inputs
from bunnymoose_cv.cli.memory import OUT_OF_MEMORY
from bunnymoose_cv.cli.printable import LONGEST, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x\x1b[31m.jpg", "x\\x1b[31m.jpg"),
        ("\x9b2J", "\\x9b2J"),
        ("a\rb", "a\\rb"),
        ("a\u202eb", "a\\u202eb"),
        ("\udce9", "\\udce9"),
        ("Žofie’s “Bam” ×2 👩‍🎤\n", "Žofie’s “Bam” ×2 👩‍🎤\n"),
    ],
)
def test_controls_are_escaped_and_letters_stay(text: str, shown: str) -> None:
    assert printable(text) == shown


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
    assert first.startswith("a\\x1b[2J.jpg cannot be used, by a fault of this program (UnicodeDecodeError")
    assert second == f"b.jpg: {OUT_OF_MEMORY}"


def test_exhausted_memory_is_said_as_such(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cli, "_hush_libraries", lambda: None)
    monkeypatch.setattr(cli, "app", lambda: _fails_with(MemoryError()))
    monkeypatch.setattr(sys, "argv", ["bunnymoose"])
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    assert capsys.readouterr().err == f"{OUT_OF_MEMORY}\n"
