"""What the tests of the command line share: the program, run in this process."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(name="bunnymoose")
def run_in_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs the program with arguments: its exit code, stdout and stderr; 120 columns wide."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bunnymoose", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        return int(left.value.code or 0), *capsys.readouterr()

    return run
