"""An evening that is killed at any instant and resumed ends as if nothing had happened.

Players are read without a network: these tests are about what is kept.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.record.footage_spool import spooled_rounds
from bunnymoose_cv.record.game_file import GAME_FILE, GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.round_folder import round_folder
from tests.doubles import READS_PARTY, write_party
from tests.program import PROGRAM, environment

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("quick_freeze")

PLAYING = f"""
import signal, sys
for each in ("SIGTERM", "SIGHUP"):  # a test that runs under nohup inherits an ignored signal
    signal.signal(getattr(signal, each), signal.SIG_DFL)
{READS_PARTY}
{PROGRAM}
"""
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
def play(tmp_path: Path) -> Callable[[str], subprocess.Popen[str]]:
    """Starts the evening, with games kept in the folder that is named."""
    write_party(tmp_path / "party.mp4", 8)
    bets = ("Blue", "Red", "Green", "Blue")
    script = tmp_path / "evening.toml"
    script.write_text('players = ["Red", "Blue", "Green"]\n' + "".join(ROUND.format(bet=bet) for bet in bets))

    def start(games: str) -> subprocess.Popen[str]:
        arguments = ["play", "--script", str(script), "--no-screen", "--json", "--resume", "--games", games]
        return subprocess.Popen(
            [sys.executable, "-c", PLAYING, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=environment(),
        )

    return start


def events_of(folder: Path) -> int:
    """Number of events in the only game of a folder."""
    kept = next(iter(GameStore(folder)), None)
    if kept is None:
        return 0
    with GameFile.open(kept.folder) as game:
        return len(game.entries)


def test_killed_and_resumed_it_ends_the_same(play: Callable[[str], subprocess.Popen[str]], tmp_path: Path) -> None:
    whole, err = play("whole").communicate()
    assert err == ""
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
            (kept,) = (game.folder for game in GameStore(tmp_path / f"killed{begun}"))
            for number in figures:
                assert round_folder(kept, number).read() is not None
                assert round_folder(kept, number).has_film
            assert spooled_rounds(kept) == ()
            if kills >= KILLS:
                return
            begun += 1


def test_signals_end_an_evening_with_a_sentence_and_take_nothing_along(
    play: Callable[[str], subprocess.Popen[str]],
) -> None:
    numbers = []
    for ending in (signal.SIGTERM, signal.SIGHUP, None):
        evening = play("ended")
        assert evening.stdout is not None
        begun = evening.stdout.readline()
        if ending is not None:
            evening.send_signal(ending)
        out, err = evening.communicate()
        if ending is None:
            assert (evening.returncode, err) == (0, "")
        else:
            assert evening.returncode == 128 + ending
            assert err == "The program was ended from outside. A game that was begun is kept: go on with --resume.\n"
        numbers += [json.loads(line).get("round") for line in (begun, *out.splitlines())]
    assert numbers == [1, 2, 3, 4, None]


def test_what_a_locked_file_does_not_take_down_is_told_at_the_end(
    play: Callable[[str], subprocess.Popen[str]], tmp_path: Path
) -> None:
    evening = play("locked")
    assert evening.stdout is not None
    evening.stdout.readline()
    kept = next(iter(GameStore(tmp_path / "locked"))).folder
    before = events_of(tmp_path / "locked")
    with closing(sqlite3.connect(kept / GAME_FILE, isolation_level=None, timeout=60)) as other:
        other.execute("BEGIN IMMEDIATE")
        out, err = evening.communicate()
    assert evening.returncode == 2
    *told, last = err.splitlines()
    assert all("stands in memory only" in line for line in told)
    assert told
    lost = f"What stood in memory only is lost: {kept.relative_to(tmp_path)} did not take it down"
    assert last == f"{lost} (database is locked)."
    assert "ranking" in out.splitlines()[-1]
    assert events_of(tmp_path / "locked") >= before
