"""The package as a program."""

import subprocess
import sys
from typing import NoReturn

import pytest

from bunnymoose_cv import __version__
from bunnymoose_cv.__main__ import main


def test_the_package_runs_as_the_program() -> None:
    done = subprocess.run([sys.executable, "-m", "bunnymoose_cv", "judg"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "bunnymoose has no command “judg”: did you mean “judge”?\n"
    version = subprocess.run([sys.executable, "-m", "bunnymoose_cv", "--version"], capture_output=True, check=False)
    assert version.stdout.decode().strip() == f"bunnymoose {__version__}"


def test_ctrl_c_while_the_program_loads_ends_it_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def find_spec(self, *_: object) -> NoReturn:
            raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "bunnymoose_cv.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted()])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
