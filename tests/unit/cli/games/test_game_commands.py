"""`bunnymoose games` and `replay`, with text and JSON output, also for unreadable games."""

import errno
import io
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.cli.games.game_reports import event_words
from bunnymoose_cv.cli.games.kept_game_arguments import seat_of
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import RecordSettings
from bunnymoose_cv.record.game_file import GAME_FILE, GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.past_evening import FilmState, past_evening_of
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.rules.cards import HunterCard, parse_card, parse_table
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    Correction,
    DeckShuffled,
    PoseCorrected,
    PosesJudged,
    RoundEvent,
    TableCorrected,
    TableLaid,
)
from bunnymoose_cv.rules.pose import Pose
from tests.program import Program


def test_list_names_every_game(bunnymoose: Program, played_games: Path) -> None:
    out = bunnymoose.output("games", "list", "--games", played_games)
    (name,) = (path.name for path in played_games.iterdir())
    for words in (name, "Birthday", "Red, Blue, Green", "2, not over"):
        assert words in out


def test_list_json_has_a_line_per_game(bunnymoose: Program, games: Path) -> None:
    (games / "2020-01-01_00-00-00").mkdir()
    (games / "2020-01-01_00-00-00" / GAME_FILE).write_bytes(b"coffee" * 100)
    birthday, damaged = bunnymoose.objects("games", "list", "--json", "--games", games)
    assert (birthday["number"], birthday["title"], birthday["rounds"], birthday["over"]) == (1, "Birthday", 2, False)
    assert birthday["bytes"] > 100_000
    assert birthday["ranking"][0]["place"] == 1
    assert (damaged["number"], "cannot be read" in damaged["problem"]) == (2, True)
    assert "cannot be" in bunnymoose.output("games", "list", "--games", games)


def test_list_is_empty_without_games(bunnymoose: Program, tmp_path: Path) -> None:
    code, out, err = bunnymoose("games", "list", "--games", tmp_path / "none")
    assert (code, out) == (0, "")
    assert "No game is kept" in err
    assert bunnymoose("games", "list", "--json", "--games", tmp_path / "none")[:2] == (0, "")
    assert not (tmp_path / "none").exists()


def test_show_json_has_rounds_corrections_and_ranking(bunnymoose: Program, games: Path) -> None:
    with GameFile.open(GameStore(games).find("last").folder) as game:
        game.append(PoseCorrected(1, "Blue", Pose(None, None)), "the hand was off the head", "Anna")
        expected = game.game
    *rounds, last = bunnymoose.objects("games", "show", "last", "--json", "--games", games)
    assert [line["round"] for line in rounds] == [1, 2]
    assert rounds[0]["poses"]["Blue"] == "-- --"
    assert rounds[0]["totals"]["Blue"] is None
    assert [(correction["who"], correction["why"]) for correction in rounds[0]["corrections"]] == [
        ("Anna", "the hand was off the head")
    ]
    assert rounds[1]["figures"] == {
        player: {
            figure.animal.value: place for figure, place in expected.trail.places.items() if figure.player == player
        }
        for player in ("Red", "Blue", "Green")
    }
    assert [standing["player"] for standing in last["ranking"]] == [standing.player for standing in expected.ranking]
    out = bunnymoose.output("games", "show", "last", "--games", games)
    for words in ("Round 1", "Round 2", "Corrected by Anna (the hand was off the head)", "Ranking"):
        assert words in out
    header = next(line for line in out.splitlines() if "Shows" in line)
    assert [cell.strip() for cell in header.strip("┃").split("┃")] == ["Player", "Shows", "Scores"]


@pytest.mark.parametrize(("answer", "stays"), [("n\n", True), ("", True), ("y\n", False)])
def test_delete_asks_for_confirmation(
    bunnymoose: Program, games: Path, monkeypatch: pytest.MonkeyPatch, answer: str, *, stays: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
    code, out, err = bunnymoose("games", "delete", "last", "--games", games)
    assert (code, out.strip()) == (int(stays), "")
    assert "with all its films and pictures?" in err
    assert bool(list(games.iterdir())) is stays


def test_delete_with_yes_does_not_ask(bunnymoose: Program, games: Path) -> None:
    code, _, err = bunnymoose("games", "delete", "1", "--yes", "--games", games)
    assert (code, "is gone" in err) == (0, True)
    assert not list(games.iterdir())


def test_highlights_are_written_to_the_game_folder(bunnymoose: Program, games: Path) -> None:
    code, out, err = bunnymoose("games", "highlights", "last", "--games", games)
    kept = GameStore(games).find("last")
    assert (code, out, err) == (0, f"{kept.highlights}\n", "")
    assert Clip(kept.highlights, "highlights").duration_s > 3


def test_highlights_skip_a_damaged_replay(bunnymoose: Program, games: Path) -> None:
    kept = GameStore(games).find("last")
    broken, whole = (round_folder(kept.folder, number) for number in (1, 2))
    copytree(broken.folder, whole.folder)
    broken.replay.write_bytes(b"")
    code, out, err = bunnymoose("games", "highlights", "last", "--games", games)
    assert (code, out, len(err.splitlines())) == (2, f"{kept.highlights}\n", 1)
    assert str(broken.replay) in err
    whole.replay.write_bytes(b"")
    code, out, err = bunnymoose("games", "highlights", "last", "--games", games)
    assert (code, out, len(err.splitlines())) == (2, "", 3)
    assert "has no highlights" in err.splitlines()[-1]


def test_replay_prints_the_path_of_the_film(bunnymoose: Program, games: Path) -> None:
    folder = GameStore(games).find("last").folder
    assert bunnymoose("replay", "last", "1", "--games", games) == (0, f"{folder}/rounds/01/replay.mp4\n", "")
    seat_film = (0, f"{folder}/rounds/01/seat_2.mp4\n", "")
    assert bunnymoose("replay", "last", "1", "--seat", "green", "--games", games) == seat_film
    assert Clip(folder / "rounds" / "01" / "seat_2.mp4", "seat").duration_s > 3


@pytest.mark.parametrize(("launched", "code"), [(0, 0), (1, 2)])
def test_replay_open_launches_the_system_player(
    bunnymoose: Program, games: Path, monkeypatch: pytest.MonkeyPatch, launched: int, code: int
) -> None:
    opened: list[str] = []

    def launch(path: str) -> int:
        opened.append(path)
        return launched

    monkeypatch.setattr("typer.launch", launch)
    left, out, err = bunnymoose("replay", "last", "1", "--open", "--games", games)
    assert (left, f"{opened[0]}\n") == (code, out)
    assert ("open it by hand" in err) is (code == 2)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["games", "show", "9"], "No game is called “9”"),
        (["games", "delete", "../games", "--yes"], "No game is called “../games”"),
        (["replay", "last", "2"], "has no replay: it was not kept"),
        (["replay", "last", "3"], "has no replay"),
        (["replay", "last", "7"], "There is no round 7: this game has come to round 3"),
        (["replay", "last", "0"], "There is no round 0"),
        (
            ["replay", "last", "1", "--seat", "Nobody"],
            "There is no seat “Nobody” in this round: choose 1 (Blue), 2 (Gre",
        ),
        (["replay", "last", "2", "--seat", "1"], "There is no replay"),
    ],
)
def test_impossible_request_is_one_sentence(
    bunnymoose: Program, played_games: Path, arguments: list[str], sentence: str
) -> None:
    assert sentence in bunnymoose.refusal(*arguments, "--games", played_games)


@pytest.mark.parametrize(
    ("players", "wanted", "seat"),
    [
        (("anna", "Anna", "Ben"), "Anna", 2),
        (("Ida", "Ben", "Cy"), "ben", 2),
        (("Ida", "Zo\u00eb", "Cy"), "Zoe\u0308", 2),
        (("1", "3", "2"), "3", 2),
        (("Ida", "Ben", "Cy"), "3", 3),
    ],
)
def test_seat_is_matched_by_name_before_number(players: tuple[str, ...], wanted: str, seat: int) -> None:
    assert seat_of(players, wanted) == seat


def test_ambiguous_name_in_other_case_is_refused() -> None:
    with pytest.raises(InputError, match=r"choose 1 \(anna\), 2 \(Anna\)"):
        seat_of(("anna", "Anna"), "ANNA")


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("hidden", ["rounds", "rounds/01", "rounds/01/evidence.json", "rounds/01/replay.json"])
@pytest.mark.parametrize(
    "command", [("contest", "1", "1", "Blue"), ("replay", "1", "1", "--seat", "Blue"), ("games", "highlights", "1")]
)
def test_unreadable_evidence_is_one_sentence(
    bunnymoose: Program, games: Path, hidden: str, command: tuple[str, ...]
) -> None:
    untouched = {"contest": "rounds/01/replay.json", "games": "rounds/01/evidence.json"}
    path = GameStore(games).find("1").folder / hidden
    path.chmod(0)
    code, _, err = bunnymoose(*command, "--games", games)
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
def test_replay_in_unreadable_folder_is_not_reported_as_missing(bunnymoose: Program, games: Path, hidden: str) -> None:
    kept = GameStore(games).find("1")
    (kept.folder / hidden).chmod(0)
    code, out, err = bunnymoose("replay", "1", "1", "--games", games)
    evening = past_evening_of(kept)
    (kept.folder / hidden).chmod(0o700)
    assert (code, out) == (2, "")
    assert "give yourself the right to read it" in err
    assert (evening.rounds[0].film, evening.rounds[0].seat_films) == (FilmState.DAMAGED, ())


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("hidden", ["rounds", "rounds/01", "rounds/01/judged.jpg", "highlights.mp4"])
def test_export_names_files_it_could_not_read(bunnymoose: Program, games: Path, tmp_path: Path, hidden: str) -> None:
    kept, copy = GameStore(games).find("1"), tmp_path / "party.zip"
    kept.highlights.write_bytes(b"film")
    path = kept.folder / hidden
    path.chmod(0)
    code, out, err = bunnymoose("games", "export", "1", "--out", copy, "--games", games)
    path.chmod(0o700)
    assert (code, out) == (2, f"{copy}\n")
    assert err == f"{path} cannot be read (Permission denied): it is missing in the copy.\n"
    with zipfile.ZipFile(copy) as archive:
        inside = {name.removeprefix(f"{kept.name}/") for name in archive.namelist()}
        listed = archive.read(f"{kept.name}/missing.txt").decode()
    assert f"{path} cannot be read" in listed
    assert {"game.sqlite", "events.jsonl"} <= inside
    assert not any(f"{name}/".startswith(f"{hidden}/") for name in inside)


def test_read_error_during_export_blames_the_source_file(
    bunnymoose: Program, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Iterator[bytes]:
        yield b"PK"
        raise OSError(errno.EIO, "Input/output error", "judged.jpg")

    monkeypatch.setattr("bunnymoose_cv.record.game_export.zipped", broken)
    err = bunnymoose.refusal("games", "export", "1", "--out", tmp_path / "a.zip", "--games", games)
    assert "judged.jpg cannot be read (Input/output error)" in err
    assert "name another file" not in err
    assert list(tmp_path.glob("a.zip*")) == []


@pytest.mark.usefixtures("held_to_permissions")
def test_game_that_cannot_be_deleted_stays_complete_and_listed(bunnymoose: Program, games: Path) -> None:
    kept = GameStore(games).find("1")
    before, closed = set(kept.folder.rglob("*")), kept.folder / "rounds" / "01"
    closed.chmod(0o555)
    code, out, err = bunnymoose("games", "delete", "1", "--yes", "--games", games)
    warnings: list[str] = []
    gone = GameStore(games).clear_out(
        RecordSettings.model_construct(keep_evenings=0, keep_megabytes=0), warnings.append
    )
    closed.chmod(0o700)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"cannot be removed (Permission denied): {closed} is still there" in err
    assert (gone, warnings) == ((), [])
    assert set(kept.folder.rglob("*")) == before
    assert list(GameStore(games)) == [kept]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (DeckShuffled((HunterCard(),) * 3), "deck shuffled, 3 cards"),
        (BetPlaced("Blue"), "bet placed, Blue"),
        (CardLaid(parse_card("L.WU+1"), from_deck=True), "card laid, L.WU+1"),
        (TableLaid(parse_table("L.WU+1 HUNTER")), "cards entered, L.WU+1 HUNTER"),
        (Bam(), "Bam"),
        (
            PosesJudged({"Blue": Pose.parse("WU CD t"), "Green": Pose(None, None)}),
            "poses judged, Blue WU CD t, Green -- --",
        ),
        (PoseCorrected(1, "Blue", Pose(None, None)), "pose corrected, round 1, Blue, -- --"),
        (TableCorrected(2, parse_table("HUNTER REVERSE")), "cards corrected, round 2, HUNTER REVERSE"),
        (BetCorrected(2, "Green"), "bet corrected, round 2, Green"),
        (BetCorrected(2, None), "bet corrected, round 2, no bet"),
    ],
)
def test_every_event_has_words_for_people(event: RoundEvent | Correction, words: str) -> None:
    assert event_words(event) == words
