"""Evenings survive kills, signals, a locked file, a full disk and a slow clock, and the user is warned."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from random import Random
from typing import Self, TypeAlias

import pytest

from bunnymoose_cv.record import game_store as games_room
from bunnymoose_cv.record.footage_spool import spooled_rounds
from bunnymoose_cv.record.game_file import GAME_FILE, GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.round_folder import round_folder
from tests.doubles import READS_PARTY, write_party
from tests.own_disk import needs_own_disk, on_own_disk
from tests.program import PROGRAM, Program, environment

pytestmark = pytest.mark.usefixtures("quick_freeze")

PLAYING = f"""
import signal, sys
for each in ("SIGTERM", "SIGHUP"):  # a test that runs under nohup inherits an ignored signal
    signal.signal(getattr(signal, each), signal.SIG_DFL)
{READS_PARTY}
"""
"""Code before that of the program, which reads its clips without networks."""

STOPS = """
import os, signal
from bunnymoose_cv.cli.play import play_terminal

echo = play_terminal.echo

def echo_and_stop(line):
    play_terminal.echo = echo
    echo(line)
    os.kill(os.getpid(), signal.SIGSTOP)

play_terminal.echo = echo_and_stop
"""
"""Code that stops the program when it has printed its first line; otherwise it may end before a test acts."""

KILLS = int(os.environ.get("BUNNYMOOSE_KILLS", "2"))
"""Number of kills. A long run is made in parts, each with a seed of its own."""

SEED = int(os.environ.get("BUNNYMOOSE_SEED", "7"))
"""Seed of the times of the kills."""

ROUND = """
[[round]]
clip = "party.mp4"
bet = "{bet}"
deal = true
bam_s = 0.4
correct = {{ {bet} = "WU CD t" }}
"""


Play: TypeAlias = Callable[..., subprocess.Popen[str]]
"""Starts the evening, with games kept in the named folder; `stops` stops it after its first line."""


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Start the evening."""
    write_party(tmp_path / "party.mp4", 8)
    bets = ("Blue", "Red", "Green", "Blue")
    script = tmp_path / "evening.toml"
    script.write_text('players = ["Red", "Blue", "Green"]\n' + "".join(ROUND.format(bet=bet) for bet in bets))

    def start(games: str, *, stops: bool = False) -> subprocess.Popen[str]:
        code = f"{PLAYING}{STOPS if stops else ''}{PROGRAM}"
        arguments = ["play", "--script", str(script), "--no-screen", "--json", "--resume", "--games", games]
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=environment(),
        )

    return start


def first_line(evening: subprocess.Popen[str]) -> str:
    """Return the first line of an evening that stops after it, once it has stopped."""
    assert evening.stdout is not None
    line = evening.stdout.readline()
    assert os.WIFSTOPPED(os.waitpid(evening.pid, os.WUNTRACED)[1])
    return line


def events_of(folder: Path) -> int:
    """Return the number of events in the only game of a folder."""
    kept = next(iter(GameStore(folder)), None)
    if kept is None:
        return 0
    with GameFile.open(kept.folder) as game:
        return len(game.entries)


def test_killed_and_resumed_evening_ends_the_same(play: Play, tmp_path: Path) -> None:
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


def test_signal_ends_an_evening_with_one_sentence_and_keeps_its_events(play: Play) -> None:
    numbers = []
    for ending in (signal.SIGTERM, signal.SIGHUP, None):
        evening = play("ended", stops=True)
        begun = first_line(evening)
        if ending is not None:
            evening.send_signal(ending)
        evening.send_signal(signal.SIGCONT)
        out, err = evening.communicate()
        if ending is None:
            assert (evening.returncode, err) == (0, "")
        else:
            assert evening.returncode == 128 + ending
            assert err == "The program was ended from outside. A game that was begun is kept: go on with --resume.\n"
        numbers += [json.loads(line).get("round") for line in (begun, *out.splitlines())]
    assert numbers == [1, 2, 3, 4, None]


def test_events_lost_to_a_locked_game_file_are_reported_at_the_end(play: Play, tmp_path: Path) -> None:
    evening = play("locked", stops=True)
    first_line(evening)
    kept = next(iter(GameStore(tmp_path / "locked"))).folder
    before = events_of(tmp_path / "locked")
    with closing(sqlite3.connect(kept / GAME_FILE, isolation_level=None, timeout=60)) as other:
        other.execute("BEGIN IMMEDIATE")
        evening.send_signal(signal.SIGCONT)
        out, err = evening.communicate()
    assert evening.returncode == 2
    *warnings, last = err.splitlines()
    assert all("is only in memory" in line for line in warnings)
    assert warnings
    lost = f"What was only in memory is lost: it could not be saved to {kept.relative_to(tmp_path)}"
    assert last == f"{lost} (database is locked)."
    assert "ranking" in out.splitlines()[-1]
    assert events_of(tmp_path / "locked") >= before


SCRIPT = """
players = ["Red", "Blue", "Green"]
[[round]]
clip = "party.mp4"
bet = "Blue"
deal = true
bam_s = 0.4
"""


class AYearBehind(datetime):
    """The clock of a computer without a battery."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """Return the time of a year ago."""
        return super().now(tz) - timedelta(days=365)


@pytest.mark.usefixtures("quick_freeze", "reads_the_party")
def test_failed_starts_and_a_slow_clock_delete_no_evening(
    bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_party(tmp_path / "party.mp4", 8)
    script, games = tmp_path / "evening.toml", ("--games", str(tmp_path / "games"))
    script.write_text(SCRIPT)
    evening = ("play", "--script", str(script), "--no-screen", "--json", *games)

    def listed() -> list[str]:
        return [json.loads(line)["name"] for line in bunnymoose("games", "list", "--json", *games)[1].splitlines()]

    code, _, err = bunnymoose(*evening)
    assert (code, err) == (0, "")
    (first,) = listed()
    for _ in range(10):
        camera = ("--camera", str(tmp_path / "nowhere.mp4"), "--players", "A,B,C")
        code, _, _ = bunnymoose("play", "--no-screen", *camera, *games)
        assert code == 2
    assert listed() == [first]
    with monkeypatch.context() as behind:
        behind.setattr(games_room, "datetime", AYearBehind)
        code, _, err = bunnymoose(*evening)
    assert (code, err) == (0, "")
    second, *others = listed()
    assert others == [first]
    assert second < first
    for name in (first, second):
        code, out, _ = bunnymoose("games", "show", name, "--json", *games)
        assert (code, len(out.splitlines())) == (0, 2)


DEALT_ROUND = '[[round]]\nclip = "party.mp4"\nbet = "{bet}"\ndeal = true\nbam_s = 0.4\n'


@pytest.mark.usefixtures("quick_freeze")
@needs_own_disk
def test_evening_continues_when_the_disk_is_full(tmp_path: Path) -> None:
    write_party(tmp_path / "party.mp4", 8)
    rounds = "".join(DEALT_ROUND.format(bet=bet) for bet in ("Blue", "Red"))
    (tmp_path / "evening.toml").write_text(f'players = ["Red", "Blue", "Green"]\n{rounds}')
    (tmp_path / "games").mkdir()
    play = ["play", "--script", "../evening.toml", "--no-screen", "--json", "--games", "."]
    command = on_own_disk(tmp_path / "games", "700k", sys.executable, "-c", READS_PARTY + PROGRAM, *play)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment())
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line.get("round") for line in lines] == [1, 2, None]
    assert len(lines[-1]["ranking"]) == 3
    warnings = done.stderr.splitlines()
    assert warnings == sorted(set(warnings))
    assert all("could not be saved" in line or "has no replay" in line for line in warnings)
    assert warnings
