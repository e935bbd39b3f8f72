"""`bunnymoose play` with a script, whose figures follow from its printed verdicts, and refused options."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.record.video_file import write_film
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, Event, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Game
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.trail import Figure
from tests.doubles import write_party
from tests.program import Program, Run

PLAYERS = ("Red", "Blue", "Green")
CARDS = "L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2"
PARTY = f"""
[[round]]
clip = "party.mp4"
bet = "Blue"
cards = "{CARDS}"
bam_s = 0.4
"""
DEALT = """
[[round]]
clip = "party.mp4"
bet = "Red"
deal = true
bam_s = 0.4
correct = { Red = "WU CD t" }
"""
EMPTY = f"""
[[round]]
clip = "empty.mp4"
cards = "{CARDS}"
bam_s = 0.4
"""


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a clip of two players and an empty one."""
    folder = tmp_path_factory.mktemp("evening")
    write_party(folder / "party.mp4", 16)
    write_film(folder / "empty.mp4", (Frame(np.full((320, 640, 3), 90, np.uint8), number / 10) for number in range(16)))
    return folder


@pytest.fixture
def play(bunnymoose: Program, clips: Path, tmp_path: Path, reads_the_party: None, quick_freeze: None) -> Run:
    """Play a script of rounds without a network."""
    del reads_the_party, quick_freeze

    def run(rounds: str, *options: str | Path) -> tuple[int, str, str]:
        script = clips / "evening.toml"
        script.write_text(f"players = {json.dumps(PLAYERS)}\n{rounds}")
        return bunnymoose("play", "--script", script, "--no-screen", "--games", tmp_path / "games", *options)

    return run


def fold_of(lines: list[dict[str, Any]]) -> Game:
    """Return the game that follows from the printed verdicts."""
    events: list[Event] = [GameStarted(PLAYERS, rules_for())]
    for line in lines:
        events += [BetPlaced(line["bet"])] if line["bet"] else []
        poses = {verdict["player"]: Pose.parse(verdict["pose"]) for verdict in line["verdicts"]}
        events += [TableLaid(parse_table(line["cards"])), Bam(), PosesJudged(poses)]
    return fold(events)


def test_evening_is_played_from_a_script(play: Run) -> None:
    code, out, err = play(PARTY + DEALT + EMPTY, "--json")
    assert (code, err) == (0, "")
    *lines, last = [json.loads(line) for line in out.splitlines()]
    assert [(line["round"], line["narrator"], line["bet"]) for line in lines] == [
        (1, "Red", "Blue"),
        (2, "Green", "Red"),
        (3, "Blue", None),
    ]
    first, second, third = (line["verdicts"] for line in lines)
    assert [(verdict["player"], verdict["seat"], verdict["pose"]) for verdict in first] == [
        ("Blue", 1, "SS TF"),
        ("Green", 2, "WU WU"),
    ]
    assert not any(verdict["moved"] for verdict in first)
    assert (second[0]["player"], second[0]["pose"], second[0]["read"]) == ("Red", "WU CD t", "SS TF")
    assert second[0]["unclear"] == []
    for verdict in third:
        assert (verdict["pose"], verdict["score"]["total"], "face_px" in verdict) == ("-- --", None, False)
        assert len(verdict["unclear"]) == 11
    for number, line in enumerate(lines, 1):
        game = fold_of(lines[:number])
        assert line["figures"] == {
            player: {
                animal.value: game.trail.places[Figure(player, animal)] for animal in (Animal.MOOSE, Animal.RABBIT)
            }
            for player in PLAYERS
        }
        for verdict, expected in zip(line["verdicts"], game.rounds[-1].verdicts, strict=True):
            assert verdict["score"]["total"] == expected.score.total
        assert Path(line["clip"]).is_file()
    assert lines[0]["say"][0].startswith("Blue: rabbit")
    assert lines[0]["say"][1] == lines[0]["say"][0].replace("Blue", "Red")
    assert [
        (standing["place"], standing["player"], standing["rear"], standing["front"]) for standing in last["ranking"]
    ] == [(standing.place, standing.player, standing.rear, standing.front) for standing in game.ranking]


def test_dealer_deals_from_the_given_deck(play: Run, tmp_path: Path) -> None:
    box = tmp_path / "box.toml"
    box.write_text('title = "Ours"\nedition = "second"\ncards = ["L.WU+9 L.WU+9 L.WU+9 L.WU+9 L.WU+9 L.WU+9 HUNTER"]')
    code, out, _ = play(DEALT.replace("Red", "Blue"), "--json", "--deck", box)
    assert code == 0
    assert set(json.loads(out.splitlines()[0])["cards"].split()) <= {"L.WU+9", "HUNTER"}


def test_deck_of_another_edition_is_refused(bunnymoose: Program, tmp_path: Path) -> None:
    box = tmp_path / "box.toml"
    box.write_text('title = "Ours"\nedition = "first"\ncards = ["L.WU+9"]')
    sentence = "box.toml holds cards of the first edition, and you play the second: add --edition first"
    assert sentence in bunnymoose.refusal("play", "--deck", box)


def test_text_output_has_rounds_and_ranking(play: Run) -> None:
    code, out, _ = play(PARTY + EMPTY)
    assert code == 0
    for words in ("Round 1: Red narrates, bet on Blue", "Blue: rabbit", "not seen", "Catching up", "Ranking"):
        assert words in out


def test_bam_after_the_end_of_its_clip_is_refused(play: Run) -> None:
    code, _, err = play(PARTY.replace("bam_s = 0.4", "bam_s = 9.0"))
    assert code == 2
    assert "party.mp4 has no moment 9 s: it lasts from 0 to 1.54 s" in err


NO_NAMES = "play needs the names of the players: --players Red,Blue,Green"
ONE_NAME_TWICE = "Every player needs a name of their own"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "play needs one thing to see: a --camera with people, or a --script with clips"),
        (["--script", "nowhere.toml"], "The script nowhere.toml cannot be read"),
        (["--camera", "nowhere.mp4", "--players", "A,B,C"], "There is no camera, clip or folder “nowhere.mp4”"),
        (["--camera", "0"], NO_NAMES),
        (["--camera", "none.mp4", "--bet", "Red", "--cards", "nonsense", "--at", "1"], NO_NAMES),
        (["--camera", "none.mp4", "--deal", "--seed", "1", "--tempo", "2"], NO_NAMES),
        (["--camera", "0", "--resume"], "There is no unfinished game from this camera"),
        (["--camera", "0", "--players", "A,A,B"], ONE_NAME_TWICE),
        (["--camera", "0", "--players", "A,a,B"], ONE_NAME_TWICE),
        (["--camera", "0", "--players", "Zo\u00eb,Zoe\u0308,B"], ONE_NAME_TWICE),
        (["--camera", "0", "--players", "A, ,B"], ONE_NAME_TWICE),
        (["--camera", "0", "--players", "A\u200b,A,B"], "“A\\u200b” cannot be a player’s name"),
        (["--camera", "0", "--players", "A\udcff,B,C"], "“A\\udcff” cannot be a player’s name"),
        (["--camera", "0", "--script", "evening.toml"], "play needs one thing to see"),
    ],
)
def test_unplayable_game_is_one_sentence(
    bunnymoose: Program, tmp_path: Path, options: list[str], sentence: str
) -> None:
    assert sentence in bunnymoose.refusal("play", "--no-screen", "--games", tmp_path, *options)


FOR_THE_SCREEN = "for the screen: play without --no-screen."
FOR_THE_TERMINAL = "for the terminal: add --no-screen."
FOR_THE_SCRIPT = "up to the script: change that file."
FOR_PEOPLE = "for people before a camera: play without --script, or on the screen."
FOR_THE_DEALER = "for the dealer: add --deal."


@pytest.mark.parametrize(
    ("words", "named", "reason"),
    [
        ("--no-screen --lan", "--lan", FOR_THE_SCREEN),
        ("--no-screen --port 0 --table-camera 1", "--port --table-camera", FOR_THE_SCREEN),
        ("--json", "--json", FOR_THE_TERMINAL),
        ("--deal --bet Red --cards HUNTER --at 1", "--deal --bet --cards --at", FOR_THE_TERMINAL),
        ("--script x.toml --players A,B,C", "--players", FOR_THE_SCRIPT),
        ("--script x.toml --edition second --advanced", "--edition --advanced", FOR_THE_SCRIPT),
        ("--no-screen --script x.toml --basic --variant four-lines", "--basic --variant", FOR_THE_SCRIPT),
        ("--no-screen --script x.toml --seed 1 --at 2", "--seed --at", FOR_THE_SCRIPT),
        ("--no-screen --script x.toml --deal", "--deal", FOR_THE_SCRIPT),
        ("--no-screen --script x.toml --bet Red --cards HUNTER", "--bet --cards", FOR_THE_SCRIPT),
        ("--no-screen --script x.toml --tempo 2 --microphone USB", "--tempo --microphone", FOR_PEOPLE),
        ("--no-screen --script x.toml --bam b.toml --ask-what-matters", "--bam --ask-what-matters", FOR_PEOPLE),
        ("--no-screen --camera 0 --deck b.toml --seed 1 --tempo 2", "--deck --seed --tempo", FOR_THE_DEALER),
    ],
)
def test_useless_options_are_named_and_refused(bunnymoose: Program, words: str, named: str, reason: str) -> None:
    options, verb, why = re.split(r" (is|are) ", bunnymoose.refusal("play", *words.split()).strip(), maxsplit=1)
    assert sorted(options.split(" and ")) == sorted(named.split())
    assert (verb, why) == ("are" if " " in named else "is", reason)


@pytest.mark.parametrize(
    "words",
    [
        "--no-screen --script none.toml --language de --speak --resume --games g --json",
        "--no-screen --script none.toml --deck none.toml",
        "--script none.toml --seed 1 --tempo 2 --bam b.toml --microphone USB --ask-everything --lan --port 0",
    ],
)
def test_useful_options_are_accepted(bunnymoose: Program, words: str) -> None:
    assert "The script none.toml cannot be read" in bunnymoose.refusal("play", *words.split())
