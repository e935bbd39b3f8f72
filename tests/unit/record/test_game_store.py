"""The folder of games: names, order, deletion and export, and nothing outside of it is touched."""

import json
import os
import sqlite3
import threading
import zipfile
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import RecordSettings
from bunnymoose_cv.record import game_folders
from bunnymoose_cv.record import game_store as games_room
from bunnymoose_cv.record.game_export import export_game, unread
from bunnymoose_cv.record.game_file import GAME_FILE, GameFile
from bunnymoose_cv.record.game_folders import (
    ORDER_FILE,
    GameLockedError,
    ProcessLock,
    is_played,
    keep_order_number,
    order_number,
    remove_folder,
)
from bunnymoose_cv.record.game_format import GameFileError
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, Event, GameStarted, PosesJudged, TableLaid, Undone
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.live.past_evenings import load

STARTED = GameStarted(("Red", "Blue", "Green"), rules_for())
TABLE = TableLaid(parse_table("B.WU+2 L.SS+1 R.TF+3 REVERSE RABBIT+1 HUNTER"))
ROUND = (TABLE, Bam(), PosesJudged({"Blue": Pose.parse("WU WU"), "Green": Pose.parse("TS TS")}))
NAMES = ("2026-10-31_20-00-00", "2026-11-20_21-30-00", "2026-11-21_19-00-00", "2026-11-21_20-05-33")
TITLES = ("Halloween", "", "Warm-up", "Birthday")


@pytest.fixture
def four(tmp_path: Path) -> GameStore:
    """Return a store with four games of three days, and other files."""
    folder = tmp_path / "games"
    for name, title in zip(NAMES, TITLES, strict=True):
        with GameFile.create(folder / name, STARTED, title=title, source=f"{title}.toml", who="Red") as game:
            game.append(ROUND, "played", "Red")
    (folder / "notes").mkdir()
    (folder / "notes" / "shopping.txt").write_text("juice")
    (folder / "readme.txt").write_text("mine")
    outside = tmp_path / "outside"
    GameFile.create(outside, STARTED, who="Red").close()
    (folder / "2027-01-01_00-00-00").symlink_to(outside)
    return GameStore(folder)


PATIENCE_S = 20
"""Timeout after which a test fails instead of hanging."""


def settings(evenings: float, megabytes: float) -> RecordSettings:
    return RecordSettings.model_construct(keep_evenings=evenings, keep_megabytes=megabytes)


def names(games: GameStore) -> list[str]:
    return [game.name for game in games]


def test_games_are_listed_newest_first_without_foreign_files(four: GameStore) -> None:
    assert [(game.number, game.name) for game in four] == list(enumerate(reversed(NAMES), start=1))


@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        ("last", 3),
        ("1", 3),
        ("4", 0),
        (" 2 ", 2),
        ("2026-11-21_19-00-00", 2),
        ("2026-10-31", 0),
        ("2026-10", 0),
        ("birthday", 3),
        ("Warm-up", 2),
    ],
)
def test_game_is_found_by_name_number_or_title(four: GameStore, wanted: str, index: int) -> None:
    assert four.find(wanted).name == NAMES[index]


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("2026-11-21", r"Several games .*“2026-11-21”.*: choose .*1 \(2026-11-21_20-05-33\), 2 \(2026-11-21_19"),
        ("", "No game is called “”"),
        ("0", "No game is called “0”"),
        ("5", "No game"),
        ("9" * 5000, "No game"),
        ("..", "No game"),
        ("../outside", "No game"),
        ("notes", "No game"),
        ("2027-01-01_00-00-00", "No game"),
        (".", "No game"),
        ("2026-11-21_20-05-33/../../outside", "No game"),
    ],
)
def test_invalid_game_is_refused_in_one_sentence(four: GameStore, wanted: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        four.find(wanted)


def test_search_in_an_empty_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"No game is kept in .*nowhere yet"):
        GameStore(tmp_path / "nowhere").find("last")


def test_games_begun_at_once_have_their_own_folders(tmp_path: Path) -> None:
    games = GameStore(tmp_path)
    for title in ("one", "two", "three"):
        games.begin(STARTED, title=title, who="Red").close()
    assert len(names(games)) == 3
    assert {games.find(title).name for title in ("one", "two", "three")} == set(names(games))


def test_played_game_is_locked_and_cannot_be_deleted(four: GameStore) -> None:
    birthday = four.find("birthday")
    with four.resume(birthday) as playing:
        assert is_played(birthday.folder)
        with pytest.raises(GameLockedError, match="is already being played"):
            four.resume(birthday)
        with pytest.raises(GameLockedError, match="is being played: end it first"):
            four.delete(birthday)
        four.clear_out(settings(0, 0), list[str]().append)
        assert names(four) == [birthday.name]
        with GameFile.open(birthday.folder) as somebody_else:
            assert somebody_else.game == playing.game
    assert not is_played(birthday.folder)
    four.delete(birthday)
    assert names(four) == []


def test_concurrent_lock_probes_do_not_disturb_each_other(four: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Probe a second time while the first probe, which found the lock free, still holds it."""
    birthday, second, is_asked = four.find("birthday"), list[Future[bool]](), threading.Event()
    four.resume(birthday).close()  # makes the lock file

    class NoticedLock:
        """Lock that records whether a thread waits for it."""

        def __init__(self) -> None:
            self._lock = threading.RLock()

        def __enter__(self) -> None:
            if not self._lock.acquire(blocking=False):
                is_asked.set()
                self._lock.acquire()

        def __exit__(self, *_: object) -> None:
            self._lock.release()

    def close(lock: ProcessLock) -> None:
        if not second:
            second.append(pool.submit(is_played, birthday.folder))
            second[0].add_done_callback(lambda _: is_asked.set())
            assert is_asked.wait(PATIENCE_S)
        close_at_once(lock)

    close_at_once = ProcessLock.close
    monkeypatch.setattr(ProcessLock, "close", close)
    monkeypatch.setattr(game_folders, "_ASKING", NoticedLock())
    with ThreadPoolExecutor(1) as pool:
        assert not is_played(birthday.folder)
        assert not second[0].result()


def test_game_read_during_deletion_does_not_reappear(four: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Delete the file between the check for its existence and its opening."""
    birthday, connect = four.find("Birthday"), sqlite3.connect

    def connect_late(*arguments: Any, **options: Any) -> sqlite3.Connection:
        (birthday.folder / GAME_FILE).unlink()
        connection: sqlite3.Connection = connect(*arguments, **options)
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_late)
    with pytest.raises(GameFileError, match="There is no game in"):
        GameFile.open(birthday.folder)
    assert not (birthday.folder / GAME_FILE).exists()


def test_file_created_during_deletion_is_deleted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Probe the lock as a page does, which creates the lock file again."""
    rmdir, late = Path.rmdir, [folder / "played.sqlite"]

    def rmdir_late(path: Path) -> None:
        if late:
            late.pop().touch()
        rmdir(path)

    monkeypatch.setattr(Path, "rmdir", rmdir_late)
    remove_folder(folder, last="game.sqlite")
    assert not folder.exists()


def test_file_removed_by_another_process_is_not_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = tuple(folder.iterdir())
    monkeypatch.setattr(Path, "iterdir", lambda _: listed)
    (folder / "a.txt").unlink()
    remove_folder(folder, last="game.sqlite")
    assert not folder.exists()


def test_deletion_touches_nothing_else(four: GameStore, tmp_path: Path) -> None:
    four.delete(four.find("1"))
    assert names(four) == list(reversed(NAMES[:3]))
    assert (four.folder / "notes" / "shopping.txt").read_text() == "juice"
    assert (tmp_path / "outside" / GAME_FILE).is_file()


@pytest.mark.parametrize(
    ("evenings", "megabytes", "stay"),
    [(10, 4000, 4), (2, 4000, 2), (1, 4000, 1), (0, 4000, 0), (10, 0, 1), (10, 3.5, 2), (10, 0.1, 1)],
)
def test_oldest_games_are_deleted_first(four: GameStore, evenings: float, megabytes: float, stay: int) -> None:
    for name in NAMES:
        (four.folder / name / "replay.mp4").write_bytes(bytes(1_000_000))
    reported: list[str] = []
    gone = four.clear_out(settings(evenings, megabytes), reported.append)
    assert len(reported) == bool(gone)
    assert all(game.name in reported[0] for game in gone)
    assert names(four) == list(reversed(NAMES))[:stay]
    assert [game.name for game in gone] == list(reversed(NAMES))[stay:]


def test_unfinished_evening_is_found_by_its_source(four: GameStore) -> None:
    found = four.unfinished("Warm-up.toml")
    assert found is not None
    assert found.name == NAMES[2]
    assert four.unfinished("elsewhere.toml") is None
    began = datetime(2026, 11, 21, 19).astimezone()
    assert four.unfinished("elsewhere.toml", "Warm-up.toml", since=began) == found
    assert four.unfinished("Warm-up.toml", since=began + timedelta(seconds=1)) is None
    with four.resume(found):
        assert four.unfinished("Warm-up.toml") is None


def test_finished_evening_is_not_resumed(four: GameStore) -> None:
    with four.resume(four.find("Warm-up")) as game:
        while game.game.phase is not Phase.OVER:
            assert game.game.round_number <= STARTED.rules.rounds(len(STARTED.players))
            poses = dict.fromkeys(game.game.seats, Pose.parse("WU WU"))
            game.append((TABLE, Bam(), PosesJudged(poses)), "played", "Red")
    assert four.unfinished("Warm-up.toml") is None
    left = four.unfinished("Warm-up.toml", "Birthday.toml", "Halloween.toml")
    assert left is not None
    assert left.name == NAMES[3]


def test_game_with_undecodable_names_is_found_and_exported(tmp_path: Path) -> None:
    games = GameStore(tmp_path / "games")
    games.begin(STARTED, title="p\udcff", source="c\udcff.mp4", who="Red").close()
    found = games.unfinished("c\udcff.mp4")
    assert found is not None
    assert games.find("P\udcff") == found
    found.folder.rename(found.folder.with_name("b\udcff"))
    export_game(games.find("b\udcff"), tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert "b\\udcff/game.sqlite" in archive.namelist()


def test_damaged_game_does_not_hide_others(four: GameStore) -> None:
    (four.folder / NAMES[3] / GAME_FILE).write_bytes(b"coffee")
    assert four.find("halloween").name == NAMES[0]
    assert four.unfinished("Birthday.toml") is None
    four.delete(four.find("last"))
    assert names(four) == list(reversed(NAMES[:3]))


def test_export_is_complete(played_games: Path, tmp_path: Path) -> None:
    games = GameStore(played_games)
    kept = games.find("last")
    export_game(kept, tmp_path / "birthday.zip")
    with zipfile.ZipFile(tmp_path / "birthday.zip") as archive:
        assert archive.testzip() is None
        inside = {name.removeprefix(f"{kept.name}/") for name in archive.namelist()}
        events = [json.loads(line) for line in archive.read(f"{kept.name}/events.jsonl").splitlines()]
        archive.extractall(tmp_path / "elsewhere")
    assert {"game.sqlite", "rounds/01/evidence.json", "rounds/01/replay.mp4", "rounds/01/judged.jpg"} <= inside
    with GameFile.open(kept.folder) as here, GameFile.open(tmp_path / "elsewhere" / kept.name) as there:
        assert here.entries == there.entries
        assert [event["number"] for event in events] == [entry.number for entry in here.entries]
    assert events[0]["event"]["players"] == ["Red", "Blue", "Green"]


def test_export_reports_and_skips_links(four: GameStore, tmp_path: Path) -> None:
    kept = four.find("last")
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "photo.jpg").write_bytes(b"secret")
    (kept.folder / "rounds" / "01").mkdir(parents=True)
    links = [kept.folder / "rounds" / "01" / "frame_77.jpg", kept.highlights, kept.folder / "rounds" / "07"]
    for link in links:
        link.symlink_to(secret if link.suffix == "" else secret / "photo.jpg")
    film = round_folder(kept.folder, 2)
    film.folder.mkdir()
    for path in (film.replay, film.times, film.json):
        (secret / path.name).write_text("{}")
        path.symlink_to(secret / path.name)
        links.append(path)
    assert (film.has_film, film.read()) == (False, None)
    missing = export_game(kept, tmp_path / "party.zip")
    assert sorted(unread(missing_file) for missing_file in missing) == sorted(
        f"{link} cannot be read (it is a link)" for link in links
    )
    with zipfile.ZipFile(tmp_path / "party.zip") as archive:
        assert all(archive.read(name) not in {b"secret", b"{}"} for name in archive.namelist())


def test_unwritable_path_is_reported_in_one_sentence(four: GameStore, tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=r"cannot be written .*: name another file"):
        export_game(four.find("last"), tmp_path / "missing" / "birthday.zip")
    (tmp_path / "file").write_text("x")
    with pytest.raises(GameFileError, match="cannot be listed"):
        GameStore(tmp_path / "file").begin(STARTED, who="Red")


def test_reading_a_game_does_not_change_it(four: GameStore) -> None:
    with GameFile.open(four.find("last").folder) as game:
        game.append(Bam(), "the space bar", "Red")
    before = {path: path.read_bytes() for path in four.folder.rglob("*") if path.is_file()}
    list(four)
    four.find("halloween")
    four.unfinished("Birthday.toml")
    assert {path: path.read_bytes() for path in four.folder.rglob("*") if path.is_file()} == before


def test_game_without_a_judged_round_does_not_count(four: GameStore) -> None:
    for _ in range(10):
        four.begin(STARTED, who="Red").close()
    reported: list[str] = []
    assert four.clear_out(settings(4, 4000), reported.append) == ()
    assert set(NAMES) <= set(names(four))
    assert reported == []


@pytest.mark.parametrize(
    ("happened", "stays"),
    [
        ((), False),
        ((BetPlaced("Blue"),), True),
        ((TABLE,), True),
        ((CardLaid(TABLE.cards[0]),), True),
        ((TABLE, Bam()), True),
        ((BetPlaced("Blue"), Undone()), True),
    ],
    ids=["nothing", "a bet", "cards", "a card", "Bam", "taken back"],
)
def test_untouched_game_is_deleted_when_left(four: GameStore, happened: tuple[Event, ...], *, stays: bool) -> None:
    begun = four.begin(STARTED, who="Red")
    begun.append(happened, "told", "Red")
    begun.close()
    four.leave(begun)
    assert names(four) == [*([begun.folder.name] if stays else []), *reversed(NAMES)]


def test_played_game_is_kept_when_left(four: GameStore) -> None:
    with GameFile.open(four.folder / NAMES[0]) as played:
        pass
    four.leave(played)
    assert names(four) == list(reversed(NAMES))


def test_order_is_by_number_and_not_by_clock(four: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_room, "_name_of", lambda _: "2025-01-01_20-00-00")
    for title in ("first", "second"):
        with four.begin(STARTED, title=title, source="late", who="Red") as game:
            game.append(ROUND, "played", "Red")
    later = ["2025-01-01_20-00-00-2", "2025-01-01_20-00-00"]
    assert names(four) == [*later, *reversed(NAMES)]
    assert four.find("last").name == later[0]
    unfinished = four.unfinished("late")
    assert unfinished is not None
    assert unfinished.name == later[0]
    four.clear_out(settings(3, 4000), list[str]().append)
    assert names(four) == [*later, NAMES[3]]


def test_evening_that_has_just_ended_is_kept(four: GameStore) -> None:
    oldest = four.folder / NAMES[0]
    four.clear_out(settings(1, 4000), list[str]().append, oldest)
    assert names(four) == [NAMES[0]]


def report_of_clearing(four: GameStore) -> str:
    """Find and clear out games beside an odd newest one, and return the reported sentences."""
    assert four.find("halloween").name == NAMES[0]
    assert four.unfinished("Warm-up.toml") is not None
    reported: list[str] = []
    four.clear_out(settings(2, 4000), reported.append)
    assert names(four) == [NAMES[3], NAMES[2], NAMES[1]]
    return reported[0]


ODD = (
    "DELETE FROM game",
    "UPDATE game SET rules_version = 9",
    "DROP TABLE game; CREATE TABLE game (title, rules_version, source); INSERT INTO game VALUES (NULL, NULL, NULL)",
    "DROP TABLE game; CREATE TABLE game (title, rules_version, source); INSERT INTO game VALUES (7, 1, x'00')",
    "DROP TABLE entry; CREATE TABLE entry (number, time, why, who, event); INSERT INTO entry VALUES (1, 7, 7, 7, 7)",
    (
        "DROP TABLE entry; CREATE TABLE entry (number, time, why, who, event);"
        "INSERT INTO entry VALUES ('x', NULL, '', '', '{}')"
    ),
    (
        "DROP TABLE entry; CREATE VIEW entry AS WITH RECURSIVE endless(number) AS"
        " (SELECT 1 UNION ALL SELECT number + 1 FROM endless)"
        " SELECT number, '2026-01-01' AS time, '' AS why, '' AS who, '' AS event FROM endless"
    ),
    (
        "DROP TABLE entry; CREATE VIEW entry AS WITH RECURSIVE endless(number) AS"
        " (SELECT 0 UNION ALL SELECT 0 FROM endless)"
        " SELECT number, '' AS time, '' AS why, '' AS who, '' AS event FROM endless"
    ),
)


@pytest.mark.parametrize("change", ODD)
def test_odd_game_is_reported_and_does_not_hide_others(four: GameStore, change: str) -> None:
    odd = four.folder / NAMES[3]
    connection = sqlite3.connect(odd / GAME_FILE)
    connection.executescript(change)
    connection.close()
    with pytest.raises(GameFileError, match=NAMES[3]):
        GameFile.open(odd)
    assert NAMES[3] in report_of_clearing(four)
    assert [listed_game.problem != "" for listed_game in load(four, None, None).listed] == [True, False, False]


def test_inaccessible_folder_does_not_hide_others(four: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    closed, usual = four.folder / NAMES[3], Path.stat

    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if closed in path.parents:
            raise PermissionError(13, "Permission denied", str(path))
        return usual(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", stat)
    assert names(four) == list(reversed(NAMES))
    assert "Permission denied" in report_of_clearing(four)
    assert sum(game.size_bytes > 0 for game in four) == 2


@pytest.mark.parametrize("path", ["A%" * 300, "file"])
def test_unlistable_folder_is_reported_in_one_sentence(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"cannot be listed .*: name another folder"):
        list(GameStore(tmp_path / path))


def test_remains_of_a_killed_start_are_removed(four: GameStore) -> None:
    for name, inside in (("2026-11-22_20-00-00", "order.txt"), ("2026-11-22_20-00-01-2", f"{GAME_FILE}.part-journal")):
        (four.folder / name).mkdir()
        (four.folder / name / inside).write_text("5")
        os.utime(four.folder / name, (0, 0))
    (four.folder / "2026-11-22_20-00-02").mkdir()  # another program is about to begin a game there
    (four.folder / "empty").mkdir()
    os.utime(four.folder / "empty", (0, 0))
    before = {path.name for path in four.folder.iterdir()}
    with four.begin(STARTED, who="Red") as game:
        left = {path.name for path in four.folder.iterdir()} - {game.folder.name}
    assert before - left == {"2026-11-22_20-00-00", "2026-11-22_20-00-01-2"}


def test_order_number_round_trips(tmp_path: Path) -> None:
    keep_order_number(tmp_path / "game", 12)
    assert order_number(tmp_path / "game") == 12


@pytest.mark.parametrize("content", [b"", b"-1", b"x", b"9" * 19])
def test_invalid_order_number_counts_as_zero(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ORDER_FILE).write_bytes(content)
    assert order_number(tmp_path) == 0


def test_games_after_the_largest_number_sort_as_newest(four: GameStore) -> None:
    newest = four.folder / "2000-01-01_00-00-00"
    GameFile.create(newest, STARTED, who="Red").close()
    (newest / ORDER_FILE).write_text("9" * 18)
    for _ in range(2):
        with four.begin(STARTED, who="Red") as game:
            assert [kept.folder for kept in four][:2] == [game.folder, newest]
            newest = game.folder


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ORDER_FILE)
    assert order_number(tmp_path) == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with files, folders and a link in it."""
    folder = tmp_path / "games" / "party"
    (folder / "rounds" / "01").mkdir(parents=True)
    for name in ("a.txt", "game.sqlite", "rounds/01/judged.jpg"):
        (folder / name).write_text(name)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "mine").touch()
    (folder / "link").symlink_to(tmp_path / "outside")
    return folder


def everything(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def test_folder_is_removed_and_nothing_else(folder: Path, tmp_path: Path) -> None:
    remove_folder(folder, last="game.sqlite")
    assert not folder.exists()
    assert (tmp_path / "outside" / "mine").is_file()


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("closed", ["rounds/01", "rounds", ".", ".."])
@pytest.mark.parametrize("rights", [0o555, 0o311])
def test_nothing_is_removed_if_a_folder_is_read_only(folder: Path, closed: str, rights: int) -> None:
    before = everything(folder)
    (folder / closed).chmod(rights)
    with pytest.raises(PermissionError) as caught:
        remove_folder(folder, last="game.sqlite")
    (folder / closed).chmod(0o700)
    assert Path(caught.value.filename).resolve() == (folder / closed).resolve()
    assert everything(folder) == before


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("closed", ["rounds/01", "rounds"])
def test_late_refusal_leaves_the_last_file(folder: Path, monkeypatch: pytest.MonkeyPatch, closed: str) -> None:
    monkeypatch.setattr(game_folders, "may_change", lambda _: True)
    (folder / closed).chmod(0o555)
    with pytest.raises(PermissionError):
        remove_folder(folder, last="game.sqlite")
    (folder / closed).chmod(0o700)
    assert (folder / "game.sqlite").is_file()
