"""The game file: appended events survive kills, full disks and migrations."""

import random
import select
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record import game_format
from bunnymoose_cv.record.event_json import event_to_json
from bunnymoose_cv.record.game_file import GAME_FILE, EventNotStoredError, GameFile
from bunnymoose_cv.record.game_format import FORMAT, GameFileError
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import load_deck, rules_for
from bunnymoose_cv.rules.events import (
    Bam,
    BetPlaced,
    Event,
    GameStarted,
    IllegalEventError,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
    Undone,
)
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.open_round import deal
from bunnymoose_cv.rules.pose import ALL_POSES, Pose
from tests.own_disk import needs_own_disk, on_own_disk
from tests.program import environment, run_python

STARTED = GameStarted(("Red", "Blue", "Green", "Yellow"), rules_for("second"))
CARDS = parse_table("L.WU+1 B.CD+1/-1 REVERSE HUNTER R.?F-1 MOOSE*2")
ROUND_ONE: tuple[Event, ...] = (
    BetPlaced("Blue"),
    TableLaid(CARDS),
    Bam(),
    PosesJudged(dict.fromkeys(("Blue", "Green", "Yellow"), Pose.parse("WU WU"))),
)
GREEN_CORRECTED = PoseCorrected(1, "Green", Pose.parse("-- --"))


@pytest.fixture
def game(tmp_path: Path) -> Iterator[GameFile]:
    with GameFile.create(tmp_path / "game", STARTED, title="Birthday", source="e.toml", who="Red") as game:
        yield game


@contextmanager
def connected(folder: Path) -> Iterator[sqlite3.Connection]:
    """Connect to a game file as another program does."""
    with closing(sqlite3.connect(folder / GAME_FILE, isolation_level=None)) as connection:
        yield connection


@pytest.fixture
def corrected(game: GameFile) -> GameFile:
    """Return a game with a judged round that another program has corrected."""
    game.append(ROUND_ONE, "told", "Anna")
    with GameFile.open(game.folder) as other:
        other.append(GREEN_CORRECTED, "seen on the film", "Ben")
    return game


def kept_in(folder: Path) -> tuple[Event, ...]:
    with GameFile.open(folder) as game:
        return tuple(entry.event for entry in game.entries)


def test_rewritten_entry_keeps_author_and_time(game: GameFile) -> None:
    game.append(ROUND_ONE, "said at the table", "Red")
    bet, table = game.standing[1:3]
    after = game.take_back(4, (bet, table), "that was no Bam", "Blue")
    assert after == game.game
    again = game.standing[1:]
    assert [(entry.event, entry.time, entry.who, entry.why) for entry in again] == [
        (entry.event, entry.time, entry.who, entry.why) for entry in (bet, table)
    ]
    assert [entry.number for entry in game.entries] == list(range(1, 12))
    assert game.entries[6].who == "Blue"
    with GameFile.open(game.folder) as read:
        assert read.entries == game.entries


def test_appended_entry_has_time_reason_and_author(game: GameFile) -> None:
    before = datetime.now(UTC)
    after = game.append(ROUND_ONE, "said at the table", "Anna")
    assert after == game.game == fold([STARTED, *ROUND_ONE])
    with GameFile.open(game.folder) as again:
        assert (again.title, again.source, again.game) == ("Birthday", "e.toml", after)
        assert again.entries == game.entries
    assert [entry.number for entry in game.entries] == [1, 2, 3, 4, 5]
    assert {(entry.why, entry.who) for entry in game.entries[1:]} == {("said at the table", "Anna")}
    assert before <= game.entries[-1].time <= datetime.now(UTC)


def test_undecodable_bytes_are_escaped(tmp_path: Path) -> None:
    about = {"title": "p\udcff", "source": "c\udcff.mp4", "who": "R\udcffd"}
    with GameFile.create(tmp_path / "game", STARTED, **about) as game:
        game.append(BetPlaced("Blue"), "w\udcffy", "B\udcffe")
    with GameFile.open(tmp_path / "game") as game:
        first, second = game.entries
        assert (game.title, game.source, first.who) == ("p\\udcff", "c\\udcff.mp4", "R\\udcffd")
        assert (second.why, second.who) == ("w\\udcffy", "B\\udcffe")


def test_illegal_event_rejects_the_whole_append(game: GameFile) -> None:
    with pytest.raises(IllegalEventError, match="Nobody can bet on “Nobody”"):
        game.append([BetPlaced("Blue"), BetPlaced("Nobody")], "a bet", "Red")
    assert kept_in(game.folder) == (STARTED,)
    assert game.game == fold([STARTED])
    game.append(BetPlaced("Blue"), "a bet", "Red")
    assert kept_in(game.folder) == (STARTED, BetPlaced("Blue"))


def test_invalid_players_leave_no_file(tmp_path: Path) -> None:
    with pytest.raises(IllegalEventError, match="3 to 6 people"):
        GameFile.create(tmp_path / "game", GameStarted(("Red",), rules_for()), who="Red")
    assert not (tmp_path / "game").exists()


def test_correction_of_an_older_rounds_cards_remains_a_correction(game: GameFile) -> None:
    seats = game.game.seats
    game.append([TableLaid(CARDS), Bam(), PosesJudged(dict.fromkeys(seats, Pose.parse("-- --")))], "played", "Red")
    game.append(TableCorrected(1, CARDS[::-1]), "put right", "Red")
    before = game.game
    game.close()
    with GameFile.open(game.folder) as again:
        assert again.entries[-1].event == TableCorrected(1, CARDS[::-1])
        assert again.game == before
        assert again.game.piles == ()


def test_folder_has_one_game(game: GameFile) -> None:
    with pytest.raises(GameFileError, match=r"There is a game in .* already"):
        GameFile.create(game.folder, STARTED, who="Red")
    assert kept_in(game.folder) == (STARTED,)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET who = 'nobody'",
        "DELETE FROM entry WHERE number = 5",
        "DELETE FROM entry",
        "INSERT OR REPLACE INTO entry SELECT 2, time, why, who, event FROM entry WHERE number = 5",
        "INSERT INTO entry SELECT 9, time, why, who, event FROM entry WHERE number = 5",
        "INSERT INTO entry (number, time, why, who) VALUES (6, '', '', '')",
    ],
)
def test_entries_cannot_be_changed_or_deleted(game: GameFile, statement: str) -> None:
    game.append(ROUND_ONE, "told", "Anna")
    with connected(game.folder) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    assert kept_in(game.folder) == (STARTED, *ROUND_ONE)


def test_standing_entries_exclude_undone_ones(game: GameFile) -> None:
    game.append(ROUND_ONE, "told", "Anna")
    dispute: list[Event] = [GREEN_CORRECTED, Undone(), GREEN_CORRECTED, Bam(), Undone(), Undone()]
    game.append(dispute, "a long dispute", "Anna")
    assert tuple(entry.event for entry in game.standing) == (STARTED, *ROUND_ONE)
    assert fold(entry.event for entry in game.standing) == game.game


def test_correction_by_another_process_is_read(corrected: GameFile) -> None:
    after = corrected.append(BetPlaced("Blue"), "a bet", "Yellow")
    assert after == fold([STARTED, *ROUND_ONE, GREEN_CORRECTED, BetPlaced("Blue")])
    assert [entry.who for entry in corrected.entries[-2:]] == ["Ben", "Yellow"]


def test_unseen_entry_of_another_process_is_not_undone(corrected: GameFile) -> None:
    with pytest.raises(InputError, match="Something has just been corrected: please check again"):
        corrected.append([Undone(), Undone()], "undone", "Anna")
    assert kept_in(corrected.folder) == (STARTED, *ROUND_ONE, GREEN_CORRECTED)
    assert corrected.game == fold([STARTED, *ROUND_ONE, GREEN_CORRECTED])
    assert corrected.append(Undone(), "undone", "Anna") == fold([STARTED, *ROUND_ONE])


def test_refresh_reads_entries_of_other_processes(game: GameFile) -> None:
    game.append(ROUND_ONE, "told", "Anna")
    assert game.refresh() == (), "its own entries are no news"
    with GameFile.open(game.folder) as other:
        other.append(GREEN_CORRECTED, "seen on the film", "Ben")
        assert [(entry.event, entry.who) for entry in game.refresh()] == [(GREEN_CORRECTED, "Ben")]
        assert game.game == other.game
        assert game.entries == other.entries
        assert game.refresh() == ()
        other.append(Undone(), "undone", "Ben")
    assert game.append(Bam(), "told", "Anna").phase is Phase.FROZEN
    assert [entry.event for entry in game.refresh()] == [Undone()], "what an append took in is told too"
    assert kept_in(game.folder) == (STARTED, *ROUND_ONE, GREEN_CORRECTED, Undone(), Bam())


def test_refresh_does_not_wait_for_a_writer(game: GameFile) -> None:
    with connected(game.folder) as other:
        other.execute("BEGIN EXCLUSIVE")
        other.execute(
            "INSERT INTO entry VALUES (2, '2026-11-26T12:00:00+00:00', 'a bet', 'Red', ?)",
            (event_to_json(BetPlaced("Blue")),),
        )
        assert game.refresh() == ()
        assert game.game.bet is None
        other.execute("COMMIT")
    assert [entry.event for entry in game.refresh()] == [BetPlaced("Blue")]
    assert game._connection.execute("PRAGMA busy_timeout").fetchone() == (5000,)


def test_unreadable_entry_of_another_process_is_reported_once(game: GameFile) -> None:
    with connected(game.folder) as other:
        other.execute("INSERT INTO entry VALUES (2, '2026-11-26T12:00:00+00:00', 'told', 'Red', 'nonsense')")
    with pytest.raises(GameFileError, match="cannot be read"):
        game.refresh()
    assert game.refresh() == ()
    assert [entry.event for entry in game.entries] == [STARTED]


@pytest.mark.parametrize("seed", range(2))
def test_evening_round_trips(game: GameFile, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(80):
        game.append(next_events(game, chance), "played", "the test")
    with GameFile.open(game.folder) as again:
        assert again.game == game.game


def next_events(game: GameFile, chance: random.Random) -> Event | tuple[Event, ...]:
    now = game.game
    if now.rounds and chance.random() < 0.1:
        played = chance.choice(now.rounds).facts
        return PoseCorrected(played.number, chance.choice(played.seats), chance.choice(ALL_POSES))
    if len(game.standing) > 1 and chance.random() < 0.05:
        return Undone()
    if now.phase is Phase.OVER:
        return Undone()
    if now.phase is Phase.FROZEN:
        return PosesJudged({player: chance.choice(ALL_POSES) for player in now.seats if player not in now.poses})
    return deal(now, load_deck("second"), chance)


# Files of other versions, and files that are not games.


def older_file(folder: Path) -> None:
    """Write a file of the first format."""
    with GameFile.create(folder, STARTED, title="Old", source="lost on the way back", who="Red") as game:
        game.append(ROUND_ONE, "told", "Anna")
        rows = list(sqlite3.connect(folder / GAME_FILE).execute("SELECT * FROM entry"))
    (folder / GAME_FILE).unlink()
    old = sqlite3.connect(folder / GAME_FILE)
    old.executescript(";".join(game_format._STEPS[0]))
    old.execute("INSERT INTO game VALUES ('Old', 1)")
    old.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", rows)
    old.execute(f"PRAGMA application_id = {game_format._OURS}")
    old.execute("PRAGMA user_version = 1")
    old.commit()
    old.close()


def test_older_file_is_migrated_and_its_copy_kept(tmp_path: Path) -> None:
    older_file(tmp_path / "game")
    with GameFile.open(tmp_path / "game") as game:
        assert (game.title, game.source) == ("Old", "")
        assert tuple(entry.event for entry in game.entries) == (STARTED, *ROUND_ONE)
        game.append(BetPlaced("Red"), "a bet", "Yellow")
    assert pragma(tmp_path / "game" / GAME_FILE, "user_version") == FORMAT
    assert pragma(tmp_path / "game" / "game-format-1.sqlite", "user_version") == 1
    assert len(kept_in(tmp_path / "game")) == 6


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("closed", ["", GAME_FILE])
def test_read_only_older_file_is_readable(tmp_path: Path, closed: str) -> None:
    older_file(tmp_path / "game")
    before = (tmp_path / "game" / GAME_FILE).read_bytes()
    (tmp_path / "game" / closed).chmod(0o555)
    game = GameFile.open(tmp_path / "game")
    assert (game.title, game.source) == ("Old", "")
    assert tuple(entry.event for entry in game.entries) == (STARTED, *ROUND_ONE)
    with pytest.raises(EventNotStoredError):
        game.append(BetPlaced("Red"), "a bet", "Yellow")
    with pytest.raises(EventNotStoredError):
        game.close()
    (tmp_path / "game" / closed).chmod(0o755)
    assert (tmp_path / "game" / GAME_FILE).read_bytes() == before
    assert not (tmp_path / "game" / "game-format-1.sqlite").exists()


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize(
    ("rights", "statement", "sentence"),
    [
        (0o600, "BEGIN EXCLUSIVE", "(database is locked): close the other program that uses it, then try again"),
        (0, "SELECT 1", "(unable to open database file): give yourself the right to read it"),
    ],
)
def test_intact_game_is_not_called_damaged(
    game: GameFile, monkeypatch: pytest.MonkeyPatch, rights: int, statement: str, sentence: str
) -> None:
    monkeypatch.setattr(game_format, "_PATIENCE_S", 0.0)
    path = game.folder / GAME_FILE
    with connected(game.folder) as other:
        other.execute(statement)
        path.chmod(rights)
        with pytest.raises(GameFileError) as caught:
            GameFile.open(game.folder)
        path.chmod(0o600)
    assert sentence in str(caught.value)
    assert "delete" not in str(caught.value)


def test_early_correction_of_cards_counts_as_laid_cards(game: GameFile) -> None:
    """Migrate corrections that an older version accepted and today's refuses."""
    corrected = TableCorrected(1, CARDS)
    with pytest.raises(IllegalEventError, match="There are no cards in this round yet"):
        game.append(corrected, "put right", "Anna")
    game.append(BetPlaced("Blue"), "a bet", "Red")
    happened: list[Event] = [corrected, Undone(), corrected, Bam(), TableCorrected(1, CARDS[::-1])]
    with connected(game.folder) as connection:
        for number, event in enumerate(happened, start=3):
            row = (number, datetime.now(UTC).isoformat(), "put right", "Anna", event_to_json(event))
            connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", row)
    expected = (TableLaid(CARDS), Undone(), TableLaid(CARDS), Bam(), TableCorrected(1, CARDS[::-1]))
    assert kept_in(game.folder)[2:] == expected
    assert game.append(ROUND_ONE[-1], "judged", "referee").rounds[0].facts.cards == CARDS[::-1]
    assert kept_in(game.folder)[2:] == (*expected, ROUND_ONE[-1])


def test_new_and_migrated_files_have_the_same_tables(tmp_path: Path) -> None:
    older_file(tmp_path / "old")
    GameFile.open(tmp_path / "old").close()
    GameFile.create(tmp_path / "new", STARTED, who="Red").close()
    schemas = []
    for folder in ("old", "new"):
        with connected(tmp_path / folder) as connection:
            schemas.append(sorted(connection.execute("SELECT type, name, sql FROM sqlite_schema")))
    assert schemas[0] == schemas[1]


def pragma(path: Path, name: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (f"PRAGMA user_version = {FORMAT + 1}", "written by a newer version of this program: update the program"),
        ("UPDATE game SET rules_version = 99", "written by a newer version of this program: update the program"),
        ("PRAGMA application_id = 7", "is no game file"),
        ("DROP TABLE entry", "cannot be read"),
        ("INSERT INTO entry VALUES (2, '2026-11-21T20:00:00+00:00', '', '', '{}')", "cannot be read"),
        ("INSERT INTO entry SELECT 2, 'soon', why, who, event FROM entry", "cannot be read"),
        ("INSERT INTO entry SELECT 2, time, why, who, event FROM entry", "cannot be read .*already started"),
    ],
)
def test_unplayable_file_is_reported_in_one_sentence(game: GameFile, change: str, sentence: str) -> None:
    with connected(game.folder) as connection:
        connection.execute(change)
    with pytest.raises(GameFileError, match=sentence) as caught:
        GameFile.open(game.folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"coffee" * 1000, None])
def test_invalid_game_is_refused_in_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / GAME_FILE).write_bytes(content)
    with pytest.raises(GameFileError, match=r"no game|not a database"):
        GameFile.open(tmp_path)


@pytest.mark.parametrize("share", [0.01, 0.2, 0.5])
def test_truncated_file_is_reported_in_one_sentence(game: GameFile, share: float) -> None:
    game.append(ROUND_ONE, "told", "Anna")
    game.close()
    path = game.folder / GAME_FILE
    path.write_bytes(path.read_bytes()[: int(share * 20_000)])
    with pytest.raises(GameFileError):
        GameFile.open(game.folder)


def test_copy_is_one_complete_file(game: GameFile, tmp_path: Path) -> None:
    game.append(ROUND_ONE, "told", "Anna")
    (tmp_path / "copy").mkdir()
    game.copy_to(tmp_path / "copy" / GAME_FILE)
    assert [path.name for path in (tmp_path / "copy").iterdir()] == [GAME_FILE]
    assert kept_in(tmp_path / "copy") == (STARTED, *ROUND_ONE)


# Killed at any instant.

PLAYED = """
import sys
from pathlib import Path
from random import Random
from bunnymoose_cv.record.game_file import EventNotStoredError, GameFile
from bunnymoose_cv.rules.deck import load_deck, rules_for
from bunnymoose_cv.rules.open_round import deal
from bunnymoose_cv.rules.events import GameStarted, PoseCorrected, PosesJudged
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import ALL_POSES

def begin(folder):
    return GameFile.create(folder, GameStarted(("Red", "Blue", "Green", "Yellow"), rules_for()), who="Red")

def play(file, chance):
    game = file.game
    if game.phase is Phase.FROZEN:
        event = PosesJudged({player: chance.choice(ALL_POSES) for player in game.seats})
    elif game.phase is Phase.OVER:
        event = PoseCorrected(1, game.rounds[0].facts.seats[0], chance.choice(ALL_POSES))
    else:
        event = deal(game, load_deck("second"), chance)
    file.append(event, "played", "the test")
"""
"""Python code that plays a random game."""

PLAYING = f"""{PLAYED}
folder, chance = Path(sys.argv[1]), Random(int(sys.argv[2]))
game = GameFile.open(folder) if (folder / "game.sqlite").exists() else begin(folder)
while True:
    print(len(game.entries), flush=True)
    play(game, chance)
"""


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_kill_loses_no_announced_event(tmp_path: Path) -> None:
    chance, folder, announced, resumed = random.Random(5), tmp_path / "game", 0, 0
    for seed in range(8):
        with subprocess.Popen(
            [sys.executable, "-c", PLAYING, str(folder), str(seed)], stdout=subprocess.PIPE, env=environment()
        ) as playing:
            assert playing.stdout is not None
            lines = [playing.stdout.readline() for _ in range(chance.randrange(1, 12))]
            # Somewhere in the next append; the pipe is watched so that no time passes unless the append takes it.
            select.select([playing.stdout], [], [], chance.random() * 0.005)
            playing.send_signal(signal.SIGKILL)
            lines += playing.stdout.readlines()
        first = int(lines[0])
        assert first >= announced, "what was announced before the last kill is missing"
        announced = max(int(line) for line in lines if line.endswith(b"\n"))
        resumed += first > 1
    events = kept_in(folder)
    assert len(events) >= announced
    assert resumed >= 6
    assert fold(events).rounds


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("steps", [1, 40, 400, 900, 1500])
def test_kill_during_creation_leaves_a_whole_game_or_none(tmp_path: Path, steps: int) -> None:
    """Kill the program while it creates the file, after a number of SQLite steps."""
    script = f"""
import os, signal, sqlite3, sys
from pathlib import Path
from bunnymoose_cv.record import game_file
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
connect, left = sqlite3.connect, [{steps}]
def tick():
    left[0] -= 1
    if left[0] <= 0:
        os.kill(os.getpid(), signal.SIGKILL)
def connected(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.set_progress_handler(tick, 1)
    return connection
sqlite3.connect = connected
game_file.GameFile.create(Path("game"), GameStarted(("Red", "Blue", "Green"), rules_for()), who="Red")
"""
    done = run_python(script, cwd=tmp_path)
    assert done.returncode in {0, -signal.SIGKILL}
    folder = tmp_path / "game"
    if (folder / GAME_FILE).exists():
        assert len(kept_in(folder)) == 1
        with connected(folder) as connection:
            assert not list(connection.execute("SELECT * FROM sqlite_schema WHERE name = 'reserve'"))
    else:
        GameFile.create(folder, STARTED, who="Red").close()
        assert kept_in(folder) == (STARTED,)


# A full disk.

ON_FULL_DISK = f"""{PLAYED}
folder, chance = Path("game"), Random(1)

def fill():
    with open("filler", "wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass

def events_on_disk():
    with GameFile.open(folder) as again:
        return [entry.event for entry in again.entries]
"""


def on_small_disk(tmp_path: Path, size: str, script: str) -> str:
    """Run Python in a folder on its own disk of a given size, a tmpfs in a private namespace."""
    disk = tmp_path / "disk"
    disk.mkdir()
    (tmp_path / "script.py").write_text(ON_FULL_DISK + script)
    command = on_own_disk(disk, size, sys.executable, tmp_path / "script.py")
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.process
@needs_own_disk
def test_evening_fits_on_a_disk_that_became_full(tmp_path: Path) -> None:
    script = """
game = begin(folder)
fill()
while game.game.phase is not Phase.OVER:
    play(game, chance)
    if len(game.entries) % 20 == 0:
        game.close()
        game = GameFile.open(folder)
assert game.unkept == 0
assert events_on_disk() == [entry.event for entry in game.entries]
print(len(game.entries), len(game.game.rounds))
"""
    entries, rounds = map(int, on_small_disk(tmp_path, "1m", script).split())
    assert (entries > 100, rounds) == (True, 8)


@pytest.mark.process
@needs_own_disk
@pytest.mark.parametrize("taken_kilobytes", [40, 200, 380, 440])
def test_full_disk_keeps_events_in_memory_until_there_is_room(tmp_path: Path, taken_kilobytes: int) -> None:
    """Fill the disk at different points of creating the reserve."""
    script = """
Path("early").write_bytes(bytes(TAKEN_KILOBYTES * 1024))
game = begin(folder)
fill()
kept, failures = events_on_disk(), 0
while game.game.phase is not Phase.OVER:
    try:
        play(game, chance)
        kept = [entry.event for entry in game.entries]
    except EventNotStoredError as error:
        failures += 1
        assert "database or disk is full" in str(error) and "make room" in str(error), error
        assert events_on_disk() == kept, "the file holds exactly what it said it keeps"
        assert game.unkept == len(game.entries) - len(kept)
        if failures == 5:
            Path("early").unlink()
assert failures == 5
assert game.unkept == 0
assert events_on_disk() == [entry.event for entry in game.entries]
print(len(game.game.rounds))
""".replace("TAKEN_KILOBYTES", str(taken_kilobytes))
    assert on_small_disk(tmp_path, "512k", script) == "8\n"


@pytest.mark.process
@needs_own_disk
def test_game_cannot_begin_on_a_full_disk(tmp_path: Path) -> None:
    script = """
from bunnymoose_cv.record.game_format import GameFileError
fill()
try:
    begin(folder)
except GameFileError as error:
    print(error)
assert not list(Path("game").iterdir())
"""
    assert "cannot be kept in game" in on_small_disk(tmp_path, "256k", script)


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for the size of a file")
def test_file_that_cannot_grow_keeps_its_content(tmp_path: Path) -> None:
    """Limit the size of the file, as a quota does."""
    script = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (24_000, 24_000))
game = begin(folder)
kept = events_on_disk()
while game.game.phase is not Phase.OVER and not game.unkept:
    try:
        play(game, chance)
        kept = [entry.event for entry in game.entries]
    except EventNotStoredError:
        assert events_on_disk() == kept
        assert len(game.entries) > len(kept)
assert game.unkept, "it always fits"
"""
    done = run_python(ON_FULL_DISK + script, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_two_threads_may_append(game: GameFile) -> None:
    with ThreadPoolExecutor(4) as pool:
        bets = [pool.submit(game.append, BetPlaced(player), "a bet", "Red") for player in ("Blue", "Green") * 10]
    assert {bet.exception() for bet in bets} == {None}
    assert len(kept_in(game.folder)) == 21


@pytest.mark.parametrize("is_free_again", [True, False])
def test_close_writes_pending_events_or_reports_their_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_free_again: bool
) -> None:
    monkeypatch.setattr(game_format, "_PATIENCE_S", 0.0)
    game = GameFile.create(tmp_path, STARTED, who="Red")
    with connected(tmp_path) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(EventNotStoredError):
            game.append(BetPlaced("Blue"), "a bet", "Red")
        if not is_free_again:
            with pytest.raises(EventNotStoredError, match="What was only in memory is lost"):
                game.close()
    if is_free_again:
        game.close()
        assert kept_in(tmp_path) == (STARTED, BetPlaced("Blue"))


def test_only_the_first_event_waits_for_a_hanging_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def patience_ms() -> int:
        return int(played._connection.execute("PRAGMA busy_timeout").fetchone()[0])

    monkeypatch.setattr(game_format, "_PATIENCE_S", 0.05)
    with GameFile.create(tmp_path, STARTED, who="Red") as played:
        with connected(tmp_path) as other:
            other.execute("BEGIN EXCLUSIVE")
            assert patience_ms() == 50
            with pytest.raises(EventNotStoredError):
                played.append(BetPlaced("Blue"), "a bet", "Red")
            assert patience_ms() == 0
        played.append(BetPlaced("Green"), "a bet", "Red")
        assert patience_ms() == 50


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_game_is_private_to_its_owner(tmp_path: Path) -> None:
    with GameFile.create(tmp_path / "private", STARTED, who="Red") as game:
        game.claim()
        game.append(BetPlaced("Blue"), "a bet", "Red")
        with whole_file(game.folder / "judged.jpg") as part:
            part.write_bytes(b"a picture")
        assert game.folder.stat().st_mode & 0o777 == 0o700
        rights = {path.name: path.stat().st_mode & 0o777 for path in game.folder.iterdir()}
    assert set(rights.values()) == {0o600}, rights
