"""Summary of a past evening: standings, corrections and their effects, films and the table of rounds."""

import csv
import os
import random
import zipfile
from io import BytesIO, StringIO
from pathlib import Path

import pytest

from bunnymoose_cv.announcements.announcing import round_lines
from bunnymoose_cv.core.atomic_files import part_of
from bunnymoose_cv.record.game_corrections import changes, corrections
from bunnymoose_cv.record.game_export import exported, guarded, rounds_csv
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_folders import ProcessLock
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.past_evening import MAKING_S, FilmState, film_state, past_evening_of, standings
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.record.short_films import write_seat_film
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    Event,
    GameStarted,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
    Undone,
)
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.pose import ALL_POSES, Animal, Pose
from bunnymoose_cv.rules.trail import Figure

BARE = Pose(None, None)


def test_standings_begin_at_the_start_and_agree_with_the_ranking(played_games: Path) -> None:
    with GameFile.open(GameStore(played_games).find("last").folder) as file:
        game = file.game
    reported = standings(game)
    assert {player: both[0][0] for player, both in reported.items()} == dict.fromkeys(game.players, 5)
    assert all(len(rear) == len(front) == len(game.rounds) + 1 for rear, front in reported.values())
    ranked = {standing.player: (standing.rear, standing.front) for standing in game.ranking}
    assert {player: (rear[-1], front[-1]) for player, (rear, front) in reported.items()} == ranked


def test_evening_is_summarized_round_by_round(games: Path) -> None:
    kept = GameStore(games).find("last")
    write_seat_film(round_folder(kept.folder, 1), 2, past_evening_of(kept).rounds[0].played.verdicts[1])
    evening = past_evening_of(kept)
    assert [account.played for account in evening.rounds] == list(evening.game.rounds)
    assert [account.film for account in evening.rounds] == [FilmState.THERE, FilmState.NONE]
    assert [account.seat_films for account in evening.rounds] == [(2,), ()]
    assert (evening.title, evening.has_highlights) == ("Birthday", False)
    assert evening.size_bytes > 100_000


def test_undone_corrections_are_left_out(games: Path) -> None:
    with GameFile.open(GameStore(games).find("last").folder) as file:
        file.append(PoseCorrected(1, "Blue", BARE), "the hand was off", "Anna")
        file.append([BetCorrected(1, None), Undone()], "a mistake", "Anna")
        file.append(BetCorrected(2, "Blue"), "told late", "Ben")
        assert [entry.who for entry in corrections(file.standing, 1)] == ["Anna"]
        assert [entry.why for entry in corrections(file.standing, 2)] == ["told late"]


OTHER_CARDS = parse_table("L.SS+1 R.TF+3 REVERSE RABBIT+1 B.WU+2 TONGUE+1")
LAID = TableLaid(parse_table("B.WU+2 L.SS+1 R.TF+3 REVERSE RABBIT+1 HUNTER"))
PUT_RIGHT = TableCorrected(1, LAID.cards[::-1])
JUDGED = (Bam(), PosesJudged(dict.fromkeys(("Blue", "Green"), BARE)))


@pytest.mark.parametrize(
    ("happened", "counts"),
    [
        ((LAID, *JUDGED, PUT_RIGHT), True),
        ((LAID, PUT_RIGHT, *JUDGED), True),
        ((LAID, *JUDGED, PUT_RIGHT, TableLaid(OTHER_CARDS)), True),  # those of the second round
        ((LAID, PUT_RIGHT, TableLaid(OTHER_CARDS), *JUDGED), False),
        ((LAID, PUT_RIGHT, Bam(), TableLaid(OTHER_CARDS), *JUDGED[1:]), False),
        ((LAID, PUT_RIGHT, *map(CardLaid, OTHER_CARDS), *JUDGED), False),
        ((LAID, PUT_RIGHT, CardLaid(OTHER_CARDS[0]), *JUDGED), True),
    ],
    ids=["after", "before", "next round", "told anew", "told anew after Bam", "dealt anew", "one card dealt"],
)
def test_correction_of_covered_cards_is_left_out(tmp_path: Path, happened: tuple[Event, ...], *, counts: bool) -> None:
    with GameFile.create(tmp_path / "game", GameStarted(("Red", "Blue", "Green"), rules_for()), who="Red") as file:
        file.append(happened, "told", "screen")
        assert [entry.event for entry in corrections(file.standing, 1)] == ([PUT_RIGHT] if counts else [])


def test_film_state_is_there_coming_or_lost(games: Path) -> None:
    folder = GameStore(games).find("last").folder
    assert (film_state(folder, 1), film_state(folder, 2)) == (FilmState.THERE, FilmState.NONE)
    kept = round_folder(folder, 1)
    kept.times.write_text("{")
    assert film_state(folder, 1) is FilmState.DAMAGED
    kept.times.unlink()
    assert film_state(folder, 1) is FilmState.LOST  # the game is no longer played, so the film will not be made
    kept.json.touch()
    claim = ProcessLock(folder)
    assert film_state(folder, 1) is FilmState.COMING
    long_ago_s = kept.json.stat().st_mtime - 2 * MAKING_S
    os.utime(kept.json, (long_ago_s, long_ago_s))
    assert film_state(folder, 1) is FilmState.LOST  # the disk was full
    part_of(kept.replay).touch()
    assert film_state(folder, 1) is FilmState.COMING  # however long its writing takes
    claim.close()


def test_table_has_a_line_per_player_and_round(games: Path) -> None:
    with GameFile.open(GameStore(games).find("last").folder) as file:
        file.append(TableCorrected(2, parse_table("B.WU+2 L.SS+1 R.TF+3 REVERSE RABBIT+1 TONGUE-2")), "seen", "Anna")
        rows = list(csv.DictReader(StringIO(rounds_csv(file))))
        rounds = file.game.rounds
    assert [(row["round"], row["player"]) for row in rows] == [
        *(("1", "Blue"), ("1", "Green"), ("1", "Red")),
        *(("2", "Red"), ("2", "Blue"), ("2", "Green")),
    ]
    assert [row["score"] for row in rows if row["seat"]] == [
        "" if verdict.score.total is None else str(verdict.score.total)
        for played in rounds
        for verdict in played.verdicts
    ]
    assert rows[3]["cards"].endswith("TONGUE-2")
    assert [row["put right by"] for row in rows] == ["", "", "", "Anna", "Anna", ""]


@pytest.mark.parametrize("name", ["=1+1", "+49", "-1", "@SUM(A1)", "\t=1", " =HYPERLINK(1)", "＝1"])  # noqa: RUF001 - a wide sign
def test_names_never_become_formulas(tmp_path: Path, name: str) -> None:
    started = GameStarted((name, "Blue", "Green"), rules_for())
    with GameFile.create(tmp_path, started, who="Red") as file:
        file.append([TableLaid(parse_table("B.WU+2 L.SS+1 R.TF+3 REVERSE RABBIT+1 HUNTER")), Bam()], "told", "Red")
        file.append(PosesJudged(dict.fromkeys(("Blue", "Green"), BARE)), "told", "Red")
        rows = list(csv.DictReader(StringIO(rounds_csv(file))))
    assert {row["narrator"] for row in rows} == {f"'{name}"}
    assert rows[0]["pose"] == "'-- --"


def test_numbers_remain_numbers() -> None:
    assert (guarded(-3), guarded("Blue"), guarded(None)) == (-3, "Blue", None)


def test_download_has_films_events_and_table(games: Path) -> None:
    found = GameStore(games)
    game = found.find("last")
    with zipfile.ZipFile(BytesIO(b"".join(exported(game)))) as archive:
        assert archive.testzip() is None
        names = {name.removeprefix(f"{game.name}/") for name in archive.namelist()}
        assert {"game.sqlite", "events.jsonl", "rounds.csv", "rounds/01/replay.mp4", "rounds/01/evidence.json"} <= names
        assert archive.read(f"{game.name}/rounds.csv").startswith("\N{BYTE ORDER MARK}round,".encode())


PLAYERS = ("Red", "Blue", "Green")
CARDS = parse_table("B.WU+2 L.SS+1 R.TF+3 HUNTER RABBIT+1 HUNTER")


def evening(seed: int, rounds: int) -> list[Event]:
    chance = random.Random(seed)
    events: list[Event] = [GameStarted(PLAYERS, rules_for())]
    for _ in range(rounds):
        seats = fold(events).seats
        poses = {player: chance.choice(ALL_POSES) for player in seats}
        events += [BetPlaced(seats[0]), TableLaid(CARDS), Bam(), PosesJudged(poses)]
    return events


def test_changes_of_a_correction_match_a_manual_computation() -> None:
    poses = {"Blue": Pose.parse("WU WU"), "Green": Pose.parse("-- --")}
    events: list[Event] = [
        GameStarted(PLAYERS, rules_for()),
        BetPlaced("Green"),
        TableLaid(CARDS),
        Bam(),
        PosesJudged(poses),
    ]
    before = fold(events)
    changed = changes(before, fold([*events, PoseCorrected(1, "Green", Pose.parse("WU CU"))]))
    (lines,) = changed.lines
    assert lines.round_number == 1
    assert lines.before[:3] == ("Blue: moose ahead 4", "Green: bush — both back 1", "Red follows Green: both back 1")
    assert lines.after[:3] == ("Blue: moose ahead 4", "Green: moose ahead 2", "Red: moose ahead 2")
    # Before, Green's and Red's figures went back one; now their moose go ahead 2. Who is last catches up by one.
    assert {(change.figure, change.before, change.after) for change in changed.figures} == {
        (Figure("Red", Animal.MOOSE), 5, 8),
        (Figure("Green", Animal.MOOSE), 5, 8),
        (Figure("Red", Animal.RABBIT), 5, 6),
        (Figure("Green", Animal.RABBIT), 5, 6),
        (Figure("Blue", Animal.RABBIT), 5, 6),
    }
    assert (changed.before, changed.after) == (before.ranking, changed.after)


@pytest.mark.parametrize("seed", range(12))
def test_unnamed_lines_and_figures_are_unchanged(seed: int) -> None:
    events, chance = evening(seed, 5), random.Random(seed)
    before = fold(events)
    facts = chance.choice(before.rounds).facts
    after = fold([*events, PoseCorrected(facts.number, chance.choice(facts.seats), chance.choice(ALL_POSES))])
    changed = changes(before, after)
    named_lines = {line.round_number: line for line in changed.lines}
    named_figures = {(change.round_number, change.figure): change for change in changed.figures}
    for number, (old, new) in enumerate(zip(before.rounds, after.rounds, strict=True), start=1):
        if number in named_lines:
            assert (named_lines[number].before, named_lines[number].after) == (round_lines(old), round_lines(new))
        else:
            assert round_lines(old) == round_lines(new)
        for figure, place in old.trail.places.items():
            found = named_figures.get((number, figure))
            expected = (place, new.trail.places[figure])
            assert ((found.before, found.after) if found else (place, place)) == expected
    assert all(line.round_number >= facts.number for line in changed.lines)
    assert all(figure.round_number >= facts.number for figure in changed.figures)
    assert (changed.before, changed.after) == (before.ranking, after.ranking)


def test_equal_games_have_no_changes() -> None:
    game = fold(evening(1, 3))
    changed = changes(game, game)
    assert (changed.lines, changed.figures) == ((), ())


def test_undone_round_is_among_the_changes() -> None:
    events = evening(1, 2)
    changed = changes(fold(events), fold([*events, Undone()]))
    (lines,) = changed.lines
    assert (lines.round_number, lines.after) == (2, ())
    assert lines.before
    assert changed.figures == ()
