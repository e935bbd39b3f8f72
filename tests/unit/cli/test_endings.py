"""Ends of the program from outside: signals, closed or full outputs, and lack of memory."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final, NoReturn

import pytest

from bunnymoose_cv.__main__ import main
from bunnymoose_cv.core.version import __version__
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from tests.program import CHECKOUT, PROGRAM, Program, environment, run_python

needs_full_device = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="only Linux has a device that is always full"
)
WAITING = """
import signal, sys
for each in ("SIGTERM", "SIGHUP"):  # a test that runs under nohup inherits an ignored signal
    signal.signal(getattr(signal, each), signal.SIG_DFL)
from bunnymoose_cv import cli
from bunnymoose_cv.cli.play import play_terminal
def rest(*_: object) -> None:
    try:
        print("resting", flush=True)
        sys.stdin.read()
    finally:
        print("closed", flush=True)
cli.app.command("rest")(lambda: rest())
play_terminal.play_in_terminal = rest
sys.argv[0] = "bunnymoose"
cli.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(
    ("name", "command", "remedy"),
    [
        ("SIGTERM", "rest", ""),
        ("SIGHUP", "play --no-screen", " A game that was begun is kept: go on with --resume."),
    ],
)
def test_signal_ends_the_program_with_one_sentence(name: str, command: str, remedy: str) -> None:
    number = getattr(signal, name)
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, *command.split()],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as resting:
        assert resting.stdout is not None
        assert resting.stdout.readline() == "resting\n"
        resting.send_signal(number)
        out, err = resting.communicate(timeout=60)
    assert out == "closed\n"
    assert err == f"The program was ended from outside.{remedy}\n"
    assert resting.returncode == 128 + number


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (["judge", "-"], (2, "standard input is empty: pipe a picture or a clip into it")),
        (["games", "delete", "last"], (1, "Aborted.")),
    ],
)
def test_closed_stdin_is_treated_as_empty(
    bunnymoose: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str], end: tuple[int, str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    started = GameStarted(("A", "B", "C"), rules_for())
    GameStore(tmp_path / "bunnymoose" / "games").begin(started, title="", who="A").close()
    monkeypatch.setattr(sys, "stdin", None)
    code, _, err = bunnymoose(*words)
    assert (code, err[-len(end[1]) - 1 :]) == (end[0], f"{end[1]}\n")


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
@pytest.mark.parametrize(("words", "code"), [("score --pose WUCD --cards L.WU+1", 2), ("judg", 2), ("--help", 0)])
def test_closed_output_keeps_the_exit_code(closed: str, words: str, code: int) -> None:
    done = run_python(f"import sys; sys.{closed} = None; {PROGRAM}", *words.split())
    assert (done.returncode, getattr(done, closed)) == (code, "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows gives files no such numbers")
def test_closed_stderr_descriptor_is_not_reused_for_a_file() -> None:
    program = (
        "import os, sys; from bunnymoose_cv import cli; "
        "cli.app.command('open')(lambda: sys.stdout.write(str(os.open(os.devnull, os.O_RDONLY)))); "
        "sys.argv[0] = 'bunnymoose'; cli.main()"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-c", program, "open"],
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert int(done.stdout) > 2


@needs_full_device
def test_full_stderr_keeps_the_exit_code() -> None:
    with Path("/dev/full").open("w") as full:
        assert run_python(PROGRAM, "judg", stderr=full).returncode == 2


@needs_full_device
def test_full_stdout_is_one_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        done = run_python(PROGRAM, "score", "--pose", "WU CD", "--cards", "L.WU+1", stdout=full)
    assert done.returncode == 2
    assert done.stderr == "The output cannot be written (No space left on device): make room, or name another place.\n"


def test_character_missing_in_the_output_encoding_is_escaped() -> None:
    done = run_python(PROGRAM, "deck", "check", "second", env=environment(PYTHONIOENCODING="cp1252"))
    assert (done.returncode, done.stderr) == (0, "")
    assert r"\u2713" in done.stdout


def test_closed_pipe_ends_the_program_quietly(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.jpg").write_bytes((CHECKOUT / "fixtures/players/0001.jpg").read_bytes())
    read_end, write_end = os.pipe()
    os.close(read_end)
    with open(write_end, "w") as unread:  # noqa: PTH123 - a file descriptor
        done = run_python(PROGRAM, "judge", tmp_path, "--json", stdout=unread)
    assert "cannot be used" not in done.stderr


JUDGE: Final = ("judge", str(CHECKOUT / "fixtures" / "scenes" / "two_1.jpg"))
PLAY: Final = ("play", "--script", str(CHECKOUT / "fixtures" / "evening" / "evening.toml"), "--no-screen", "--json")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to so much memory")
@pytest.mark.parametrize(("megabytes", "command"), [(1_000, JUDGE), (1_200, JUDGE), (1_500, PLAY), (3_000, PLAY)])
def test_too_little_memory_for_the_models_is_one_sentence(
    megabytes: int, command: tuple[str, ...], tmp_path: Path
) -> None:
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({megabytes * 1_000_000},) * 2); {PROGRAM}"
    done = run_python(limited, *command, env=environment(OMP_NUM_THREADS="1", HOME=str(tmp_path)))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "There is not enough memory for this: close other programs, or give smaller pictures.\n"


def test_package_runs_with_python_m() -> None:
    command = [sys.executable, "-m", "bunnymoose_cv", "--version"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"bunnymoose {__version__}\n", "")


def test_ctrl_c_during_import_exits_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def find_spec(self, *_: object) -> NoReturn:
            raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "bunnymoose_cv.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted()])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
