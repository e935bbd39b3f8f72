"""Fixtures that run the laboratory's programs in this process."""

import sys
from collections.abc import Callable
from pathlib import Path
from runpy import run_module
from subprocess import CompletedProcess

import pytest


@pytest.fixture
def laboratory(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run `python -m training.NAME`, 120 columns wide, and return exit code, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(name: str, *arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            run_module(f"training.{name}", run_name="__main__")
        return int(left.value.code or 0), *capsys.readouterr()

    return run


@pytest.fixture
def evaluate(laboratory: Callable[..., tuple[int, str, str]]) -> Callable[..., CompletedProcess[str]]:
    """Run `python -m training.evaluate` with arguments."""

    def run(*arguments: str | Path) -> CompletedProcess[str]:
        return CompletedProcess(arguments, *laboratory("evaluate", *arguments))

    return run
