"""`bunnymoose play` with a script: the lines that other programs read, and that every figure follows from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.record.video_file import write_film
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.trail import Figure

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.game import Game

    Program = Callable[..., tuple[int, str, str]]

PLAYERS = ("Red", "Blue", "Green")
CARDS = "L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2"
SCRIPT = f"""
players = {json.dumps(PLAYERS)}
[[round]]
clip = "party.mp4"
bet = "Blue"
cards = "{CARDS}"
bam_s = 0.4
[[round]]
clip = "party.mp4"
bet = "Red"
deal = true
bam_s = 0.4
correct = {{ Red = "WU CD t" }}
[[round]]
clip = "empty.mp4"
cards = "{CARDS}"
bam_s = 0.4
"""


def evening_of(folder: Path, party_file: Path) -> Path:
    """A script of three rounds for the two players of the party; in the last one nobody is to be seen."""
    party = read_image(party_file)
    small = np.full_like(party[::4, ::4], 90)  # nobody is sought in every tile: the fewer the better
    for name, image in (("party", party), ("empty", small)):
        write_film(folder / f"{name}.mp4", (Frame(image, number / 10) for number in range(16)))
    script = folder / "evening.toml"
    script.write_text(SCRIPT)
    return script


def shortened(script: Path, rounds: tuple[int, ...]) -> Path:
    """A script of these rounds of it alone."""
    head, *told = script.read_text().split("[[round]]")
    path = script.with_name(f"{rounds}.toml")
    path.write_text("[[round]]".join([head, *(told[number] for number in rounds)]))
    return path


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory, party_file: Path) -> Path:
    return evening_of(tmp_path_factory.mktemp("evening"), party_file)


def fold_of(lines: list[dict[str, Any]]) -> Game:
    """The game that follows from the verdicts that were printed."""
    events: list[Event] = [GameStarted(PLAYERS, rules_for())]
    for line in lines:
        events += [BetPlaced(line["bet"])] if line["bet"] else []
        poses = {verdict["player"]: Pose.parse(verdict["pose"]) for verdict in line["verdicts"]}
        events += [TableLaid(parse_table(line["cards"])), Bam(), PosesJudged(poses)]
    return fold(events)


def test_an_evening_from_a_script(bunnymoose: Program, script: Path, tmp_path: Path) -> None:
    code, out, err = bunnymoose(
        "play", "--script", str(script), "--no-screen", "--json", "--games", str(tmp_path / "games")
    )
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
    assert [(each["place"], each["player"], each["rear"], each["front"]) for each in last["ranking"]] == [
        (each.place, each.player, each.rear, each.front) for each in game.ranking
    ]


@pytest.mark.usefixtures("quick_freeze")
def test_the_dealer_deals_from_peoples_own_box(bunnymoose: Program, script: Path, tmp_path: Path) -> None:
    box, dealt = tmp_path / "box.toml", script.with_name("dealt.toml")
    box.write_text('title = "Ours"\nedition = "second"\ncards = ["L.WU+9 L.WU+9 L.WU+9 L.WU+9 L.WU+9 L.WU+9 HUNTER"]')
    dealt.write_text(f"players = {json.dumps(PLAYERS)}\n[[round]]\nclip = 'party.mp4'\ndeal = true\nbam_s = 0.4\n")
    words = ("play", "--script", str(dealt), "--no-screen", "--json", "--games", str(tmp_path), "--deck", str(box))
    code, out, _ = bunnymoose(*words)
    assert code == 0
    assert set(json.loads(out.splitlines()[0])["cards"].split()) <= {"L.WU+9", "HUNTER"}


def test_a_box_of_another_edition_is_told(bunnymoose: Program, tmp_path: Path) -> None:
    box = tmp_path / "box.toml"
    box.write_text('title = "Ours"\nedition = "first"\ncards = ["L.WU+9"]')
    code, _, err = bunnymoose("play", "--deck", str(box))
    assert code == 2
    assert "box.toml holds cards of the first edition, and you play the second: add --edition first" in err


@pytest.mark.usefixtures("quick_freeze")
def test_people_see_rounds_and_the_ranking(bunnymoose: Program, script: Path, tmp_path: Path) -> None:
    short = shortened(script, (0, 2))
    code, out, _ = bunnymoose("play", "--script", str(short), "--no-screen", "--games", str(tmp_path / "games"))
    assert code == 0
    for words in ("Round 1: Red narrates, bet on Blue", "Blue: rabbit", "not seen", "Catching up", "Ranking"):
        assert words in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "play needs one thing to see: a --camera with people, or a --script with clips"),
        (["--script", "nowhere.toml"], "The script nowhere.toml cannot be read"),
    ],
)
def test_what_cannot_be_played_is_told(bunnymoose: Program, arguments: list[str], sentence: str) -> None:
    code, out, err = bunnymoose("play", "--no-screen", *arguments)
    assert (code, out) == (2, "")
    assert sentence in err


def test_a_bam_after_the_end_of_its_clip_is_told(bunnymoose: Program, script: Path, tmp_path: Path) -> None:
    late = script.with_name("late.toml")
    late.write_text(SCRIPT.replace("bam_s = 0.4", "bam_s = 9.0", 1))
    code, _, err = bunnymoose("play", "--script", str(late), "--no-screen", "--games", str(tmp_path / "games"))
    assert code == 2
    assert "party.mp4 has no moment 9 s: it lasts from 0 to 1.54 s" in err


def test_the_terminal_takes_all_its_options(bunnymoose: Program) -> None:
    words = ("play", "--no-screen", "--camera", "none.mp4", "--bet", "Red", "--cards", "nonsense", "--at", "1")
    code, _, err = bunnymoose(*words)
    assert (code, err.strip()) == (2, "play needs the names of the players: --players Red,Blue,Green")
