"""A full disk in the middle of an evening: the game goes on to its end, and people read once what is not kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.record.video_file import write_film
from tests.own_disk import needs_own_disk, on_own_disk

CHECKOUT = Path(__file__).parents[2]
PROGRAM = "import sys; from bunnymoose_cv.cli import main; sys.argv[0] = 'bunnymoose'; main()"
ROUND = '[[round]]\nclip = "party.mp4"\nbet = "{bet}"\ndeal = true\nbam_s = 0.4\n'


@pytest.mark.usefixtures("quick_freeze")
@needs_own_disk
def test_the_evening_goes_on(party_file: Path, tmp_path: Path) -> None:
    small = np.ascontiguousarray(read_image(party_file)[::2, ::2])
    write_film(tmp_path / "party.mp4", (Frame(small, number / 10) for number in range(8)))
    rounds = "".join(ROUND.format(bet=bet) for bet in ("Blue", "Red"))
    (tmp_path / "evening.toml").write_text(f'players = ["Red", "Blue", "Green"]\n{rounds}')
    (tmp_path / "games").mkdir()
    play = ["play", "--script", "../evening.toml", "--no-screen", "--json", "--games", "."]
    command = on_own_disk(tmp_path / "games", "700k", sys.executable, "-c", PROGRAM, *play)
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(CHECKOUT)},
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line.get("round") for line in lines] == [1, 2, None]
    assert len(lines[-1]["ranking"]) == 3
    told = done.stderr.splitlines()
    assert told == sorted(set(told))
    assert all("is not kept" in line or "has no replay" in line for line in told)
    assert told
