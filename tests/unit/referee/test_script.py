"""The script of an evening: what can be written in it, and what people are told about the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.referee.script import ScriptError, read_script
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from pathlib import Path

CARDS = "L.WU+1 B.CD+1/-1 REVERSE HUNTER R.?F-1 MOOSE*2"
EVENING = f"""
edition = "second"
advanced = true
players = ["Red", "Blue", "Green", "Yellow"]
[[round]]
clip = "round1.mp4"
bet = "Blue"
cards = "{CARDS}"
bam_s = 4.2
correct = {{ Green = "WU CD t" }}
[[round]]
clip = "round1.mp4"
deal = true
bam_s = 4
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "round1.mp4").touch()
    path = tmp_path / "evening.toml"
    path.write_text(EVENING)
    return path


def test_what_people_would_do_is_read(script: Path) -> None:
    evening = read_script(script)
    assert evening.players == ("Red", "Blue", "Green", "Yellow")
    assert (evening.rules.edition.name, evening.rules.advanced) == ("second", True)
    first, second = evening.rounds
    assert (first.clip, first.bet, first.bam_s) == (script.parent / "round1.mp4", "Blue", 4.2)
    assert first.cards == parse_table(CARDS)
    assert first.corrections == {"Green": Pose.parse("WU CD t")}
    assert (second.cards, second.bet, second.bam_s, second.corrections) == (None, None, 4.0, {})


@pytest.mark.parametrize(
    ("written", "instead", "problem"),
    [
        ('players = ["Red"', "players = [Red", "is no valid TOML"),
        ("bam_s = 4.2", "", "round 1, bam_s is missing, write it"),
        ("bam_s = 4.2", 'bam_s = "4.2"', "round 1, bam_s has to be a number, not “4.2”"),
        ("bam_s = 4.2", "bam_s = -1.0", "round 1, bam_s has to be at least 0, not -1"),
        ("bam_s = 4\n", "bam_s = 4\ntempo = 2\n", "round 2, tempo is nothing that a script has, take it out"),
        ("deal = true", "", "round 2: tells either the cards or deal = true"),
        ("L.WU+1 B", "L.WX+1 B", "round 1, cards: "),
        (CARDS, "L.WU+1", "round 1: 6 cards lie on the table, one per pile, not 1"),
        ('"WU CD t"', '"WU"', "round 1, correct, Green: a pose needs the left and the right headgear"),
        ('{ Green = "WU CD t" }', '{ Red = "WU CD t" }', "round 1: “Red” shows nothing in round 1"),
        ('bet = "Blue"', 'bet = "Red"', "round 1: Nobody can bet on “Red” in this round"),
        ('"Blue", "Green", "Yellow"', '"Blue"', "3 to 6 people can play, not 2"),
        ('"Yellow"]', '"red "]', "Every player needs a name of their own: Red, Blue, Green, red"),
        ('"Yellow"]', '"Yell,ow"]', "“Yell,ow” is no name of a player"),
        ('edition = "second"', 'edition = "third"', "There is no edition “third”"),
        ("advanced = true", 'variants = ["five-lines"]', "there is no variant “five-lines”"),
        ('clip = "round1.mp4"\ndeal', 'clip = "round2.mp4"\ndeal', "round 2: there is no clip"),
    ],
)
def test_every_mistake_is_told_before_the_first_round(script: Path, written: str, instead: str, problem: str) -> None:
    assert written in EVENING
    script.write_text(EVENING.replace(written, instead, 1))
    with pytest.raises(ScriptError, match=re.escape(problem)) as raised:
        read_script(script)
    assert str(script) in str(raised.value)


def test_names_are_read_alike_wherever_they_stand(script: Path) -> None:
    names = {'"Blue", "': '"Zo\u00eb ", "', 'bet = "Blue"': 'bet = "Zoe\u0308"', "{ Green": '{ "Green "'}
    text = EVENING
    for written, instead in names.items():
        assert written in text
        text = text.replace(written, instead)
    script.write_text(text, "utf-8")
    evening = read_script(script)
    assert evening.players == ("Red", "Zo\u00eb", "Green", "Yellow")
    assert evening.rounds[0].bet == "Zo\u00eb"
    assert list(evening.rounds[0].corrections) == ["Green"]


def test_more_rounds_than_the_game_has_are_told(script: Path) -> None:
    first = (
        EVENING[EVENING.index("[[round]]") : EVENING.rindex("[[round]]")]
        .replace('bet = "Blue"\n', "")
        .replace('correct = { Green = "WU CD t" }\n', "")
    )
    script.write_text(EVENING[: EVENING.index("[[round]]")] + 9 * first)
    with pytest.raises(ScriptError, match=r"round 9: the game has 8 rounds, so leave this one out"):
        read_script(script)


def test_a_missing_script_and_one_that_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match=r"cannot be read \(No such file or directory\): check its name"):
        read_script(tmp_path / "none.toml")
    (tmp_path / "picture.toml").write_bytes(b"\xff\xd8")
    with pytest.raises(ScriptError, match="is no text"):
        read_script(tmp_path / "picture.toml")
