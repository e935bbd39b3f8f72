"""A full disk in the middle of an evening: the game goes on to its end, and people read once what is not kept."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.doubles import READS_PARTY, write_party
from tests.own_disk import needs_own_disk, on_own_disk
from tests.program import PROGRAM, environment

if TYPE_CHECKING:
    from pathlib import Path

ROUND = '[[round]]\nclip = "party.mp4"\nbet = "{bet}"\ndeal = true\nbam_s = 0.4\n'


@pytest.mark.usefixtures("quick_freeze")
@needs_own_disk
def test_the_evening_goes_on(tmp_path: Path) -> None:
    write_party(tmp_path / "party.mp4", 8)
    rounds = "".join(ROUND.format(bet=bet) for bet in ("Blue", "Red"))
    (tmp_path / "evening.toml").write_text(f'players = ["Red", "Blue", "Green"]\n{rounds}')
    (tmp_path / "games").mkdir()
    play = ["play", "--script", "../evening.toml", "--no-screen", "--json", "--games", "."]
    command = on_own_disk(tmp_path / "games", "700k", sys.executable, "-c", READS_PARTY + PROGRAM, *play)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment())
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line.get("round") for line in lines] == [1, 2, None]
    assert len(lines[-1]["ranking"]) == 3
    told = done.stderr.splitlines()
    assert told == sorted(set(told))
    assert all("is not kept" in line or "has no replay" in line for line in told)
    assert told
