"""Commands on kept games of which something may not be read: one sentence that names it, never a traceback."""

from __future__ import annotations

import errno
import zipfile
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.user_settings import RecordSettings
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.past_evening import FilmState, past_evening_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Run = tuple[int, str, str]


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("hidden", ["rounds", "rounds/01", "rounds/01/evidence.json", "rounds/01/replay.json"])
@pytest.mark.parametrize(
    "command", [("contest", "1", "1", "Blue"), ("replay", "1", "1", "--seat", "Blue"), ("games", "highlights", "1")]
)
def test_evidence_that_may_not_be_read_is_one_sentence(
    bunnymoose: Callable[..., Run], games: Path, hidden: str, command: tuple[str, ...]
) -> None:
    untouched = {"contest": "rounds/01/replay.json", "games": "rounds/01/evidence.json"}
    path = GameStore(games).find("1").folder / hidden
    path.chmod(0)
    code, _, err = bunnymoose(*command, "--games", str(games))
    path.chmod(0o700)
    assert "Traceback" not in err
    if hidden == untouched.get(command[0]):
        assert (code, err) == (0, "")
    else:
        assert code == 2
        assert str(path) in err
        assert "cannot be read (Permission denied): give yourself the right to read it" in err.splitlines()[0]


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("hidden", ["rounds", "rounds/01"])
def test_a_replay_in_a_closed_folder_is_not_said_to_be_missing(
    bunnymoose: Callable[..., Run], games: Path, hidden: str
) -> None:
    kept = GameStore(games).find("1")
    (kept.folder / hidden).chmod(0)
    code, out, err = bunnymoose("replay", "1", "1", "--games", str(games))
    evening = past_evening_of(kept)
    (kept.folder / hidden).chmod(0o700)
    assert (code, out) == (2, "")
    assert "give yourself the right to read it" in err
    assert (evening.rounds[0].film, evening.rounds[0].seat_films) == (FilmState.DAMAGED, ())


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("hidden", ["rounds", "rounds/01", "rounds/01/judged.jpg", "highlights.mp4"])
def test_an_export_names_what_it_lacks(
    bunnymoose: Callable[..., Run], games: Path, tmp_path: Path, hidden: str
) -> None:
    kept, copy = GameStore(games).find("1"), tmp_path / "party.zip"
    kept.highlights.write_bytes(b"film")
    path = kept.folder / hidden
    path.chmod(0)
    code, out, err = bunnymoose("games", "export", "1", "--out", str(copy), "--games", str(games))
    path.chmod(0o700)
    assert (code, out) == (2, f"{copy}\n")
    assert err == f"{path} cannot be read (Permission denied): it is missing in the copy.\n"
    with zipfile.ZipFile(copy) as archive:
        inside = {name.removeprefix(f"{kept.name}/") for name in archive.namelist()}
        listed = archive.read(f"{kept.name}/missing.txt").decode()
    assert f"{path} cannot be read" in listed
    assert {"game.sqlite", "events.jsonl"} <= inside
    assert not any(f"{name}/".startswith(f"{hidden}/") for name in inside)


def test_a_file_that_fails_while_it_is_copied_is_not_the_fault_of_the_copy(
    bunnymoose: Callable[..., Run], games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Iterator[bytes]:
        yield b"PK"
        raise OSError(errno.EIO, "Input/output error", "judged.jpg")

    monkeypatch.setattr("bunnymoose_cv.record.game_store.zipped", broken)
    code, out, err = bunnymoose("games", "export", "1", "--out", str(tmp_path / "a.zip"), "--games", str(games))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "judged.jpg cannot be read (Input/output error)" in err
    assert "name another file" not in err
    assert list(tmp_path.glob("a.zip*")) == []


@pytest.mark.usefixtures("held_to_permissions")
def test_a_game_that_cannot_be_taken_away_stays_whole_and_listed(bunnymoose: Callable[..., Run], games: Path) -> None:
    kept = GameStore(games).find("1")
    before, closed = set(kept.folder.rglob("*")), kept.folder / "rounds" / "01"
    closed.chmod(0o555)
    code, out, err = bunnymoose("games", "delete", "1", "--yes", "--games", str(games))
    told: list[str] = []
    gone = GameStore(games).clear_out(RecordSettings.model_construct(keep_evenings=0, keep_megabytes=0), told.append)
    closed.chmod(0o700)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"cannot be taken away (Permission denied): {closed} is still there" in err
    assert (gone, told) == ((), [])
    assert set(kept.folder.rglob("*")) == before
    assert list(GameStore(games)) == [kept]
