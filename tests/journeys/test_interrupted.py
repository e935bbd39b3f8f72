"""An evening that is killed at any instant and resumed ends as if nothing had happened."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.record.footage_spool import spooled_rounds
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import Games
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.record.video_file import write_film

if TYPE_CHECKING:
    from collections.abc import Callable

CHECKOUT = Path(__file__).parents[2]
PROGRAM = "import sys; from bunnymoose_cv.cli import main; sys.argv[0] = 'bunnymoose'; main()"
KILLS = int(os.environ.get("BUNNYMOOSE_KILLS", "2"))
"""Kills of the evening; a long run is made in parts, each with a seed of its own."""

SEED = int(os.environ.get("BUNNYMOOSE_SEED", "7"))
"""Of the moments of the kills."""

ROUND = """
[[round]]
clip = "party.mp4"
bet = "{bet}"
deal = true
bam_s = 0.4
correct = {{ {bet} = "WU CD t" }}
"""


@pytest.fixture
def play(party_file: Path, tmp_path: Path) -> Callable[[str], subprocess.Popen[str]]:
    """Starts the evening, with games kept in the folder that is named."""
    small = np.ascontiguousarray(read_image(party_file)[::2, ::2])
    write_film(tmp_path / "party.mp4", (Frame(small, number / 10) for number in range(8)))
    bets = ("Blue", "Red", "Green", "Blue")
    script = tmp_path / "evening.toml"
    script.write_text('players = ["Red", "Blue", "Green"]\n' + "".join(ROUND.format(bet=bet) for bet in bets))

    def start(games: str) -> subprocess.Popen[str]:
        arguments = ["play", "--script", str(script), "--no-screen", "--json", "--resume", "--games", games]
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            stdout=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(CHECKOUT)},
        )

    return start


def events_of(folder: Path) -> int:
    """How many events the only game of a folder holds."""
    kept = next(iter(Games(folder)), None)
    if kept is None:
        return 0
    with GameFile.open(kept.folder) as game:
        return len(game.entries)


def test_killed_and_resumed_it_ends_the_same(play: Callable[[str], subprocess.Popen[str]], tmp_path: Path) -> None:
    whole, _ = play("whole").communicate()
    *rounds, ranking = [json.loads(line) for line in whole.splitlines()]
    figures = {line["round"]: line["figures"] for line in rounds}
    random, kills, begun = Random(SEED), 0, 0
    while True:
        evening = play(f"killed{begun}")
        try:
            out, _ = evening.communicate(timeout=random.uniform(0.5, 12) if kills < KILLS else None)
        except subprocess.TimeoutExpired:
            before = events_of(tmp_path / f"killed{begun}")
            evening.send_signal(signal.SIGKILL)
            out, _ = evening.communicate()
            kills += 1
            assert events_of(tmp_path / f"killed{begun}") >= before
        for line in map(json.loads, out.splitlines()):
            if "round" in line:
                assert line["figures"] == figures[line["round"]]
        if evening.returncode == 0:
            assert json.loads(out.splitlines()[-1]) == ranking
            (kept,) = (game.folder for game in Games(tmp_path / f"killed{begun}"))
            for number in figures:
                assert round_folder(kept, number).read() is not None
                assert round_folder(kept, number).has_film
            assert spooled_rounds(kept) == ()
            if kills >= KILLS:
                return
            begun += 1
