"""The objects that other programs read: their keys, the order of these, and what is left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.referee.json_output import faces_json, hand_json, judgement_json
from bunnymoose_cv.referee.judge import Judge, JudgingContext
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities, HeadgearReading

if TYPE_CHECKING:
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading


def judged(reader: Reader, party: FrameReading, context: JudgingContext) -> dict[str, Any]:
    judgement = Judge(reader, context).judge([Frame(party.image, 0.0)], 1.23456)
    line = json_line(judgement_json("party.png", judgement))
    assert "\n" not in line
    content: dict[str, Any] = json.loads(line)
    return content


def test_a_judgement_without_cards(reader: Reader, party: FrameReading) -> None:
    content = judged(reader, party, JudgingContext(rules_for()))
    assert list(content) == ["source", "time_s", "size", "players"]
    assert (content["source"], content["time_s"], content["size"]) == ("party.png", 1.2346, [1280, 640])
    for player, seen in zip(content["players"], party.players, strict=True):
        assert list(player) == ["seat", "face_px", "pose", "animal", "species", "left", "right", "tongue"]
        assert Pose.parse(player["pose"]) == seen.pose
        assert [round(player["face_px"][0]), player["seat"]] == [round(seen.face.x), seen.seat]
        for side in ("left", "right"):
            assert list(player[side]) == ["headgear", "confidence", "unclear", "reasons"]
            assert 0 < player[side]["confidence"] <= 1
            assert all(isinstance(reason, str) for reason in player[side]["reasons"])
        assert list(player["tongue"]) == ["out", "confidence", "unclear"]


def test_a_judgement_with_cards_and_a_bet(reader: Reader, party: FrameReading) -> None:
    content = judged(reader, party, JudgingContext(rules_for(), parse_table("MOOSE+2 L.WU+1"), bet=2))
    assert list(content)[-2:] == ["players", "narrator"]
    assert content["players"][1]["score"] == {
        "total": 3,
        "lines": [
            {"card": "MOOSE+2", "points": 2, "why": "this is a moose", "factor": 1},
            {"card": "L.WU+1", "points": 1, "why": "wide antler up on the left", "factor": 1},
        ],
        "say": "Moose ahead 3",
    }
    move = content["players"][1]["move"]
    assert (list(move), move["asked"], move["reasons"]) == (["probability", "asked", "reasons"], False, [])
    assert 0.93 <= move["probability"] <= 1
    assert content["narrator"] == {
        "bet": 2,
        "moves": [{"animal": "moose", "spaces": 3}],
        "say": "Narrator: moose ahead 3",
    }


def test_nobody_is_an_empty_list(reader: Reader, party: FrameReading) -> None:
    judgement = Judge(reader, JudgingContext(rules_for())).judge([Frame(party.image[:, :8].copy(), 0.0)], 0.0)
    assert judgement_json("wall.png", judgement)["players"] == []


def reading(probabilities: HeadgearProbabilities) -> HeadgearReading:
    return HeadgearReading(probabilities, probabilities.unclear(load_settings().headgear), (Phrase("a reason"),))


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [
        (
            HeadgearProbabilities(0.98, 0.01, 0.01, wide=0.96, up=0.1),
            {"kind": "antler", "spread": "W", "form": None, "direction": "D", "confidence": 0.8467, "unclear": []},
        ),
        (
            HeadgearProbabilities(0.3, 0.6, 0.1, straight=0.04, top=1.0),
            {"kind": "ear", "spread": None, "form": "F", "direction": None, "confidence": 0.576, "unclear": ["kind"]},
        ),
        (
            HeadgearProbabilities(0.01, 0.01, 0.98),
            {"kind": "other", "spread": None, "form": None, "direction": None, "confidence": 0.98, "unclear": []},
        ),
    ],
    ids=["antler", "ear", "neither"],
)
def test_a_hand_has_the_keys_of_its_kind(probabilities: HeadgearProbabilities, expected: dict[str, Any]) -> None:
    content = json.loads(json_line(hand_json("hand.jpg", reading(probabilities))))
    assert content == {"source": "hand.jpg", **expected, "reasons": ["a reason"]}
    assert list(content) == ["source", *expected, "reasons"]


def test_no_hand_is_a_null_kind_and_nothing_else() -> None:
    assert json_line(hand_json("wall.jpg", None)) == (
        '{"source": "wall.jpg", "kind": null, "spread": null, "form": null, "direction": null, "confidence": null,'
        ' "unclear": [], "reasons": []}'
    )


def test_all_faces_of_an_image_are_one_object(reader: Reader, party: FrameReading) -> None:
    content = json.loads(json_line(faces_json("party.png", reader.read_faces(party.image))))
    assert list(content) == ["source", "faces"]
    assert [list(face) for face in content["faces"]] == [["face_px", "tongue"]] * 2
    assert [face["face_px"][0] for face in content["faces"]] == [round(player.face.x) for player in party.players]


def test_a_name_that_is_no_text_still_makes_a_line() -> None:
    name = b"ant\xffler.jpg".decode("utf-8", "surrogateescape")
    assert json.loads(json_line(hand_json(name, None)))["source"] == "ant�ler.jpg"
