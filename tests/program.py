"""The program as tests run it: in this process, or in one of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from bunnymoose_cv.cli import main

Run: TypeAlias = Callable[..., tuple[int, str, str]]
"""Program whose first arguments are fixed; a call returns exit code, stdout and stderr."""

CHECKOUT: Final = Path(__file__).parents[1]
PROGRAM: Final = "import sys; from bunnymoose_cv.cli import main; sys.argv[0] = 'bunnymoose'; main()"
"""Code that runs the program with the arguments after it."""


@dataclass(frozen=True)
class Program:
    """The program in this process; a call returns exit code, stdout and stderr."""

    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *words: str | Path) -> tuple[int, str, str]:
        self.monkeypatch.setattr(sys, "argv", ["bunnymoose", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        return int(left.value.code or 0), *self.capsys.readouterr()

    def output(self, *words: str | Path) -> str:
        """Return the stdout of a command that must succeed with an empty stderr."""
        code, out, err = self(*words)
        assert (code, err) == (0, "")
        return out

    def objects(self, *words: str | Path) -> list[dict[str, Any]]:
        """Return the JSON lines of a command that must succeed with an empty stderr."""
        return [json.loads(line) for line in self.output(*words).splitlines()]

    def refusal(self, *words: str | Path) -> str:
        """Return the only line on stderr of a command that must fail with exit code 2 and an empty stdout."""
        code, out, err = self(*words)
        assert (code, out, err.count("\n")) == (2, "", 1), err
        return err


def environment(**variables: str) -> dict[str, str]:
    """Return the environment of a process that imports this checkout."""
    return {**os.environ, "PYTHONPATH": str(CHECKOUT), **variables}


def run_python(
    code: str,
    *arguments: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    **streams: Any,
) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own.

    Args:
        code: source to run.
        arguments: arguments of the command line.
        cwd: working directory; the current one if None.
        env: the whole environment; `environment()` if None.
        streams: other arguments of `subprocess.run`. By default stdout and stderr are captured.
    """
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=cwd,
        env=env or environment(),
        text=True,
        check=False,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams,
    )
