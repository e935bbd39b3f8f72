"""`bunnymoose say`, as a person calls it."""

import os
import subprocess
import sys
import wave
from pathlib import Path

import pytest

import bunnymoose_cv

# The whole program, however far its other commands are: a mistake is one sentence and exit code 2.
PROGRAM = "import sys; from bunnymoose_cv.cli import main; sys.argv[0] = 'bunnymoose'; main()"


def bunnymoose(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(bunnymoose_cv.__file__).parents[1])},
        check=False,
    )


def seconds(path: Path) -> float:
    with wave.open(str(path)) as sound:
        return float(sound.getnframes() / sound.getframerate())


def test_out_writes_a_wav_and_tells_where(tmp_path: Path) -> None:
    done = bunnymoose("say", "Moose ahead 3", "--out", "moose.wav", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "moose.wav\n", "")
    assert 0.5 < seconds(tmp_path / "moose.wav") < 3
    assert [path.name for path in tmp_path.iterdir()] == ["moose.wav"]


def test_list_shows_languages_and_names(tmp_path: Path) -> None:
    done = bunnymoose("say", "--list", folder=tmp_path)
    assert done.returncode == 0
    languages = {line.split()[0].split("-")[0] for line in done.stdout.splitlines()}
    assert {"en", "de", "fr", "es", "cs"} <= languages


def test_without_a_sound_device_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = bunnymoose("say", "Moose ahead 3", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("nothing can be heard")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["say"], "nothing to say"),
        (["say", "  "], "nothing to say"),
        (["say", "x", "--voice", "Germn"], "no voice “Germn”"),
        (["say", "x", "--rate", "7"], "not 7"),
        (["say", "x", "--out", "."], ". is a folder"),
        (["say", "x", "--out", "missing/a.wav"], "missing/a.wav cannot be written"),
        (["say", "x", "--out", "file/a.wav"], "file/a.wav cannot be written"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    (tmp_path / "file").touch()
    done = bunnymoose(*arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
