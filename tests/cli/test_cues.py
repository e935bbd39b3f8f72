"""`bunnymoose cue`, as a person calls it, on the recordings of the fixtures."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "import sys; from bunnymoose_cv.cli import main; sys.argv[0] = 'bunnymoose'; main()"
SOUNDS = Path(__file__).parents[2] / "fixtures" / "sounds"
TAKES = [SOUNDS / "low_shout" / f"take_{number}.ogg" for number in range(1, 5)]


def cue(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, "cue", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_bam_learnt_from_files_is_heard_in_others(tmp_path: Path) -> None:
    kept = tmp_path / "bam.toml"
    done = cue("learn", *TAKES[:3], "--bam", kept)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"Bam learnt from 3 takes, kept in {kept}; try it with bunnymoose cue test\n"

    done = cue("test", TAKES[3], SOUNDS / "slap" / "take_1.ogg", "--bam", kept, "--json")
    (heard,) = map(json.loads, done.stdout.splitlines())
    assert heard["source"] == str(TAKES[3])
    assert 0.7 < heard["time_s"] < 1.3
    assert cue("test", TAKES[3], "--bam", kept).stdout == f"{TAKES[3]}: Bam at {heard['time_s']:.2f} s\n"

    done = cue("test", SOUNDS / "slap" / "take_1.ogg", "--bam", kept, "--json")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "No Bam was heard\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["learn", str(TAKES[0])], "A Bam is learnt from 3 takes or more, not from 1: say it again\n"),
        (["learn", str(TAKES[0]), "none.wav"], "none.wav: check the name\n"),
        (["learn", "--microphone", "no such microphone"], "plug it in, or play without one\n"),
        (
            ["test", str(TAKES[0]), "--bam", "none.toml"],
            "No Bam was learnt yet at none.toml: run bunnymoose cue learn\n",
        ),
    ],
)
def test_a_mistake_is_one_sentence(arguments: list[str], sentence: str) -> None:
    done = cue(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(sentence)
