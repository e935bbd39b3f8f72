"""The package as a program."""

from __future__ import annotations

import subprocess
import sys

from bunnymoose_cv import __version__


def test_the_package_runs_as_the_program() -> None:
    done = subprocess.run([sys.executable, "-m", "bunnymoose_cv", "judg"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "bunnymoose has no command “judg”: did you mean “judge”?\n"
    version = subprocess.run([sys.executable, "-m", "bunnymoose_cv", "--version"], capture_output=True, check=False)
    assert version.stdout.decode().strip() == f"bunnymoose {__version__}"
