"""`bunnymoose score` and `bunnymoose best`, with text and JSON output."""

import json
import re
from typing import Any

import pytest

from tests.program import Program


def test_score_json_has_the_documented_shape(bunnymoose: Program) -> None:
    poses = ("--pose", "WU CD t", "--pose", "-- SS")
    (printed,) = bunnymoose.objects("score", *poses, "--cards", "L.WU+1 B.CD+1/-1 RABBIT*2", "--json")
    assert printed == {
        "players": [
            {
                "seat": 1,
                "pose": "WU CD t",
                "animal": "moose",
                "species": "rabbit",
                "score": {
                    "total": 0,
                    "lines": [
                        line("L.WU+1", 1, "wide antler up on the left"),
                        line("B.CD+1/-1", -1, "compact antler down on the right only"),
                        line("RABBIT*2", 0, "the tongue makes this moose a rabbit: doubles the score", factor=2),
                    ],
                    "say": "Rabbit doesn't move",
                },
            },
            {
                "seat": 2,
                "pose": "-- SS",
                "animal": "bush",
                "species": "bush",
                "score": {
                    "total": None,
                    "lines": [
                        line(card, 0, "a bush (nothing on the left): no card applies")
                        for card in ("L.WU+1", "B.CD+1/-1", "RABBIT*2")
                    ],
                    "say": "Bush — both back 1",
                },
            },
        ]
    }


def line(card: str, points: int, why: str, factor: int = 1) -> dict[str, Any]:
    return {"card": card, "points": points, "why": why, "factor": factor}


@pytest.mark.parametrize(
    ("options", "total", "say"),
    [
        ([], -6, "Rabbit back 6"),
        (["--edition", "first"], -6, "Rabbit back 6"),
        (["--advanced"], -6, "Rabbit back 6"),
        (["--basic"], 2, "Moose ahead 2"),
        (["--no-species-change"], 5, "Moose ahead 5"),
        (["--edition", "first", "--no-species-change"], 5, "Moose ahead 5"),
    ],
)
def test_score_depends_on_edition_and_variant(bunnymoose: Program, options: list[str], total: int, say: str) -> None:
    cards = "MOOSE+2 RABBIT-6 RABBIT*2 TONGUE+3"
    code, out, _ = bunnymoose("score", "--pose", "WU WU t", "--cards", cards, "--json", *options)
    (player,) = json.loads(out)["players"]
    assert (code, player["score"]["total"], player["score"]["say"]) == (0, total, say)


@pytest.mark.parametrize(
    ("bet", "moves", "say"),
    [
        ("1", [{"animal": "moose", "spaces": 1}], "Narrator: moose ahead 1"),
        (
            "2",
            [{"animal": "moose", "spaces": -1}, {"animal": "rabbit", "spaces": -1}],
            "Narrator: bush — both back 1",
        ),
    ],
)
def test_narrator_copies_the_move_of_the_seat_with_the_bet(
    bunnymoose: Program, bet: str, moves: list[dict[str, Any]], say: str
) -> None:
    words = ("score", "--pose", "WU WU", "--pose", "-- --", "--cards", "L.WU+1", "--bet", bet)
    _, out, _ = bunnymoose(*words, "--json")
    assert json.loads(out)["narrator"] == {"bet": int(bet), "moves": moves, "say": say}
    _, out, _ = bunnymoose(*words)
    assert out.splitlines()[-1] == say


def test_score_text_has_cards_points_reasons_and_announcement(bunnymoose: Program) -> None:
    out = bunnymoose.output("score", "--pose", "WU CD t", "--cards", "L.WU+1 REVERSE RABBIT*2 R.WU+3")
    assert out.splitlines()[0] == "WU CD t, a moose that counts as a rabbit"
    for card, points, why in (
        ("L.WU+1", "+1", "wide antler up on the left"),
        ("REVERSE", "±", "turns everybody's score around"),
        ("RABBIT*2", "×2", "the tongue makes this moose a rabbit: doubles the score"),
        ("R.WU+3", "0", "no wide antler up on the right"),
    ):
        assert re.search(rf"{re.escape(card)} +│ +{re.escape(points)} │ {re.escape(why)}", out)
    assert out.splitlines()[-1] == "Rabbit back 2"


def test_look_alikes_are_announced_together(bunnymoose: Program) -> None:
    _, out, _ = bunnymoose("score", "--pose", "WU WU", "--pose", "TS TS", "--pose", "WU WU", "--cards", "L.WU+1 L.TS-2")
    assert out.splitlines()[-2:] == ["Seat 1 and Seat 3: moose ahead 1", "Seat 2: rabbit back 2"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--pose", "WU CX", "--cards", "L.WU+1"], "at character 4 of “WU CX”"),
        (["--pose", "WU", "--cards", "L.WU+1"], "something is missing at character 3 of “WU”"),
        (["--pose", "WU WU", "--cards", "L.WU+1 L.XX+1"], "“XX” is not a card’s headgear"),
        (["--pose", "WU WU", "--cards", "L.WU+1 L.XX+1"], "at character 10 of “L.WU+1 L.XX+1”"),
        (["--pose", "WU WU", "--cards", ""], "a table needs at least one card"),
        (["--pose", "WU WU", "--cards", "L.WU+1", "--edition", "third"], "There is no edition “third”"),
        (
            ["--pose", "WU WU", "--cards", "L.WU+1", "--bet", "2"],
            "There is no seat 2 to bet on: there is one pose, so name seat 1.",
        ),
        (["--pose", "WU WU", "--cards", "L.WU+1", "--bet", "0"], "There is no seat 0 to bet on"),
        (
            ["--pose", "WU WU", "--pose", "-- --", "--cards", "L.WU+1", "--bet", "3"],
            "There is no seat 3 to bet on: name a seat from 1 to 2.",
        ),
    ],
)
def test_invalid_score_command_is_one_sentence_and_exit_code_2(
    bunnymoose: Program, arguments: list[str], sentence: str
) -> None:
    assert sentence in bunnymoose.refusal("score", *arguments, "--json")


def test_best_json_tries_all_poses_and_names_ties(bunnymoose: Program) -> None:
    (found,) = bunnymoose.objects("best", "--cards", "B.WU+2/+1 TONGUE+3 RABBIT*2", "--json")
    assert found["tried"] == 162
    assert found["best"]["total"] == 12
    assert [pose["pose"] for pose in found["best"]["poses"]] == ["WU WU t"]
    assert found["worst"]["total"] == 0
    assert len(found["worst"]["poses"]) == 9 + 16
    assert {pose["score"]["total"] for pose in found["worst"]["poses"]} == {0}


def test_best_text_has_the_most_the_least_and_the_ties(bunnymoose: Program) -> None:
    _, out, _ = bunnymoose("best", "--cards", "B.WU+1 L.TS-2 TONGUE-1")
    assert "Most: +2 with WU WU, a moose" in out
    assert "wide antler up on both sides" in out
    assert "Least: -3 with TS TS t, a rabbit that counts as a moose" in out
    assert re.search(r"3 more score the same:\nTS TF t +TS SS t +TS SF t *\n", out)
    assert "162 poses tried" in out
