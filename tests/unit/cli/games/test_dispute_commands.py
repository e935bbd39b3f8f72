"""`bunnymoose contest`, `correct` and `undo`, with text and JSON output."""

import json
import re
from pathlib import Path

import pytest

from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted, PoseCorrected
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.readings import FrameReading
from tests.program import Program


def events_of(games: Path) -> list[object]:
    with GameFile.open(GameStore(games).find("last").folder) as game:
        return [entry.event for entry in game.entries]


def test_contest_json_has_the_reading_with_reasons(
    bunnymoose: Program, played_games: Path, party: FrameReading
) -> None:
    code, out, err = bunnymoose("contest", "last", "1", "2", "--json", "--games", played_games)
    assert (code, err, out.count("\n")) == (0, "", 1)
    printed, player = json.loads(out), party.players[1]
    assert (printed["round"], printed["seat"], printed["player"]) == (1, 2, "Green")
    assert printed["pose"] == printed["read"]["pose"] == str(player.pose)
    assert printed["read"]["left"]["reasons"]
    assert "hand" not in printed["read"]["left"]
    assert printed["score"]["lines"][0]["card"] == "B.WU+2"
    assert printed["moved_s"] == pytest.approx(0.9)
    assert printed["corrections"] == []
    assert set(printed["files"]) == {"picture", "replay", "frame 1", "frame 2"}
    assert all(Path(path).is_file() for path in printed["files"].values())


def test_contest_text_has_verdict_reasons_and_corrections(bunnymoose: Program, games: Path) -> None:
    bunnymoose("correct", "last", "1", "Green", "-- --", "--who", "Anna", "--why", "off the head", "--games", games)
    out = bunnymoose.output("contest", "last", "1", "green", "--games", games)
    for words in (
        "Round 1, seat 2: Green",
        "temple",
        "Moved 0.9 s after Bam",
        "Corrected by Anna (off the head): -- --",
        "Green: bush — both back 1",
        "judged.jpg",
    ):
        assert words in out


def test_contest_works_without_evidence(bunnymoose: Program, played_games: Path) -> None:
    (printed,) = bunnymoose.objects("contest", "last", "2", "Red", "--json", "--games", played_games)
    assert (printed["read"], printed["files"], printed["moved_s"]) == (None, {}, None)
    assert printed["score"]["lines"]
    assert "nothing was kept" in bunnymoose.output("contest", "last", "2", "Red", "--games", played_games)


def test_contest_of_open_round_has_no_score(bunnymoose: Program, played_games: Path) -> None:
    (printed,) = bunnymoose.objects("contest", "last", "3", "1", "--json", "--games", played_games)
    assert (printed["pose"], printed["score"]) == (None, None)


def test_correction_updates_the_game_and_its_evidence_and_reports_changes(bunnymoose: Program, games: Path) -> None:
    with GameFile.open(GameStore(games).find("last").folder) as game:
        before = game.game
    arguments = ["correct", "last", "1", "Blue", " WU  CD t ", "--who", "Anna", "--why", "seen on the film"]
    (printed,) = bunnymoose.objects(*arguments, "--json", "--games", games)
    with GameFile.open(GameStore(games).find("last").folder) as game:
        after, newest = game.game, game.entries[-1]
    assert newest.event == PoseCorrected(1, "Blue", Pose.parse("WU CD t"))
    assert (newest.who, newest.why) == ("Anna", "seen on the film")
    assert (printed["player"], printed["before"], printed["after"]) == (
        "Blue",
        str(before.rounds[0].facts.poses["Blue"]),
        "WU CD t",
    )
    assert printed["figures"]
    for figure in printed["figures"]:
        for game_then, place in ((before, figure["before"]), (after, figure["after"])):
            places = game_then.rounds[figure["round"] - 1].trail.places
            (found,) = (
                each
                for key, each in places.items()
                if (key.player, key.animal.value) == (figure["player"], figure["animal"])
            )
            assert found == place
    assert [standing["player"] for standing in printed["ranking"]["after"]] == [
        standing.player for standing in after.ranking
    ]
    assert printed["say"][0]["round"] == 1


def test_correct_text_lists_changes_and_repeating_it_changes_nothing(bunnymoose: Program, games: Path) -> None:
    out = bunnymoose.output("correct", "last", "1", "1", "-- --", "--games", games)
    assert re.search(r"Round 1: Blue showed -- --, not \S+ \S+\.", out)
    assert "+ Blue: bush — both back 1" in out
    assert "Blue’s moose" in out
    before = events_of(games)
    out = bunnymoose.output("correct", "last", "1", "1", "-- --", "--games", games)
    assert out == "Round 1: Blue was judged by -- -- already: nothing is written down.\n"
    (printed,) = bunnymoose.objects("correct", "last", "1", "1", "-- --", "--json", "--games", games)
    assert (printed["written"], printed["before"], printed["say"], printed["figures"]) == (False, "-- --", [], [])
    assert events_of(games) == before


def test_undo_restores_the_game_before_the_correction(bunnymoose: Program, games: Path) -> None:
    before = fold(events_of(games))  # type: ignore[arg-type]
    bunnymoose("correct", "last", "1", "Blue", "-- --", "--games", games)
    out = bunnymoose.output("undo", "last", "--who", "Anna", "--json", "--games", games)
    printed = json.loads(out)
    assert printed["undone"] == {"kind": "pose corrected", "round": 1, "player": "Blue", "pose": "-- --"}
    assert fold(events_of(games)) == before  # type: ignore[arg-type]
    bunnymoose("correct", "last", "1", "Blue", "-- --", "--who", "Ben", "--games", games)
    code, out, _ = bunnymoose("undo", "last", "--games", games)
    assert (code, "Taken back, as Ben had said: pose corrected, round 1, Blue, -- --." in out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["correct", "last", "1", "Blue", "WU WX"], "WX"),
        (["correct", "last", "1", "Red", "WU WU"], "There is no seat “Red” in this round: choose 1 (Blue), 2 (Green)"),
        (["correct", "last", "4", "1", "WU WU"], "There is no round 4"),
        (["correct", "last", "3", "1", "WU WU"], "has not been judged in this round"),
        (["correct", "last", "-1", "1", "WU WU"], ""),
        (["contest", "nothing", "1", "1"], "No game is called “nothing”"),
        (["contest", "last", "1", "3"], "There is no seat “3”"),
        (["correct", "last", "1", "Blue", "WU WU", "--who", ""], "--who is empty: name who says so."),
        (["undo", "last", "--who", " \u200b"], "--who is empty: name who says so."),
        (["undo", "2031"], "No game is called “2031”"),
        (["undo", "last"], "“poses judged, Red "),
        (["undo", "last"], "”: take that back with --yes"),
    ],
)
def test_invalid_correction_is_one_sentence_and_changes_nothing(
    bunnymoose: Program, played_games: Path, arguments: list[str], sentence: str
) -> None:
    before = events_of(played_games)
    err = bunnymoose.refusal(*arguments, "--games", played_games)
    assert sentence in err
    assert not set("{}[]") & set(err)
    assert events_of(played_games) == before


def test_new_game_has_nothing_to_undo(bunnymoose: Program, tmp_path: Path) -> None:
    with GameStore(tmp_path).begin(GameStarted(("Red", "Blue", "Green"), rules_for()), title="", who="Red"):
        pass
    for more in ([], ["--yes"]):
        code, out, err = bunnymoose("undo", "last", *more, "--games", tmp_path)
        assert (code, out, err) == (2, "", "There is nothing left to undo: the game has only begun.\n")
