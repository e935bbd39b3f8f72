"""Judgements of images, and the JSON that other programs read: scores, look-alikes, bets, keys and their order."""

import json
import os
from dataclasses import replace
from typing import Any

import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.output.judged_json import faces_json, hand_json, judgement_json
from bunnymoose_cv.referee.judge import BetError, Judge, JudgingContext
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import Rules, Variant, rules_for
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.scoring import score
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities, HeadgearReading
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.doubles import CannedReader, row_reading
from tests.doubtful import party_with_doubt

CARDS = parse_table("MOOSE+2 RABBIT-1 R.WU+1")


def test_every_player_is_scored_by_the_pose_that_was_read(canned_reader: Reader, party: FrameReading) -> None:
    rules = rules_for()
    judgement = Judge(canned_reader, JudgingContext(rules, CARDS)).judge([Frame(party.image, 0.0)], 4.2)
    assert judgement.reading.time_s == 4.2
    assert [player.reading.seat for player in judgement.players] == [1, 2]
    for player in judgement.players:
        assert player.score == score(player.reading.pose, CARDS, rules)
    assert judgement.said == ("Seat 1: rabbit back 1", "Seat 2: moose ahead 3")
    assert judgement.banners == {1: "Rabbit back 1", 2: "Moose ahead 3"}


@pytest.mark.parametrize(
    ("cards", "everything", "reported", "enough"),
    [
        ("L.?U+2", False, (False, 1), True),
        ("L.WU+2", False, (True, 0), False),
        ("L.?U+2", True, (True, 1), False),
        ("", False, None, False),
    ],
    ids=["does not matter", "matters", "asks for everything", "without cards"],
)
def test_a_doubt_that_changes_the_move_is_asked_about_and_more_frames_are_read(  # noqa: PLR0913 - a row of the table
    canned_reader: Reader, party: FrameReading, cards: str, reported: object, *, everything: bool, enough: bool
) -> None:
    blue, green = party_with_doubt(party, canned_reader).players
    context = JudgingContext(rules_for(), parse_table(cards) if cards else (), asks_everything=everything)
    judge = Judge(canned_reader, context)
    move = judge._judge_player(green).move
    assert green.unclear == ("left.spread",)
    assert (None if move is None else (move.asked, len(move.reasons))) == reported
    assert [judge._needs_no_frame(player) for player in (blue, green)] == [True, enough]


def test_without_cards_species_are_judged_but_not_announced(canned_reader: Reader, party: FrameReading) -> None:
    judgement = Judge(canned_reader, JudgingContext(rules_for())).judge([Frame(party.image, 0.0)], 0.0)
    assert [player.species for player in judgement.players] == [Animal.RABBIT, Animal.MOOSE]
    assert judgement.said == ()
    assert judgement.banners == {}


@pytest.mark.parametrize(
    ("rules", "species"),
    [
        (rules_for("second"), Animal.RABBIT),
        (rules_for("first"), Animal.RABBIT),
        (rules_for("second", advanced=False), Animal.MOOSE),
        (rules_for("second", variants=[Variant.NO_SPECIES_CHANGE]), Animal.MOOSE),
    ],
    ids=["second edition", "first edition", "basic cards only", "no species change"],
)
def test_a_moose_with_its_tongue_out_counts_by_the_rules_in_force(
    canned_reader: Reader, party: FrameReading, rules: Rules, species: Animal
) -> None:
    moose = party.players[1]
    moose = replace(moose, tongue=canned_reader.tongue_reading(moose.player.head, 0.99))
    assert Judge(canned_reader, JudgingContext(rules))._judge_player(moose).species is species


def test_look_alikes_are_announced_together_and_the_bet_is_copied_last() -> None:
    twins = row_reading(("WU WU", "WU WU"))
    with CannedReader(twins) as reader:
        context = JudgingContext(rules_for(), CARDS, 2, ("Red", "Blue"))
        judgement = Judge(reader, context).judge([Frame(twins.image, 0.0)], 0.0)
    assert judgement.said == ("Red and Blue: moose ahead 3", "Narrator: moose ahead 3")
    assert [announced.seats for announced in judgement.announced] == [(1, 2)]
    assert judgement.banners[2] == "Blue: moose ahead 3"


@pytest.mark.parametrize("names", [("Red", "Red"), ("Seat 2",)])
def test_players_of_one_name_keep_their_seats(
    canned_reader: Reader, party: FrameReading, names: tuple[str, ...]
) -> None:
    context = JudgingContext(rules_for(), CARDS, names=names)
    judgement = Judge(canned_reader, context).judge([Frame(party.image, 0.0)], 0.0)
    first, second = (*names, "Seat 2")[:2]
    assert [announced.seats for announced in judgement.announced] == [(1,), (2,)]
    assert judgement.said == (f"{first}: rabbit back 1", f"{second}: moose ahead 3")


def test_a_player_alone_is_announced_without_a_seat(canned_reader: Reader, party: FrameReading) -> None:
    frame = Frame(party.image[:, :640].copy(), 0.0)
    judgement = Judge(canned_reader, JudgingContext(rules_for(), CARDS)).judge([frame], 0.0)
    assert judgement.said == ("Rabbit back 1",)


def test_several_frames_agree_on_a_pose_that_one_hides(canned_reader: Reader, party: FrameReading) -> None:
    hidden = party.image.copy()
    hidden[:, 640:] = 128
    frames = [Frame(party.image, 0.0), Frame(hidden, 0.1), Frame(party.image, 0.2)]
    judgement = Judge(canned_reader, JudgingContext(rules_for())).judge(frames, 0.0)
    assert [player.species for player in judgement.players] == [Animal.RABBIT, Animal.MOOSE]


@pytest.mark.parametrize(
    ("bet", "width", "sentence"),
    [
        *((bet, 1280, "the picture shows 2 players, so name a seat from 1 to 2") for bet in (3, 0, -1, -9)),
        (2, 640, "the picture shows 1 player, so name seat 1"),
        (3, 8, "the picture shows no players"),
    ],
)
def test_a_bet_on_an_empty_seat_names_the_taken_ones(
    canned_reader: Reader, party: FrameReading, bet: int, width: int, sentence: str
) -> None:
    frames = [Frame(party.image[:, :width].copy(), 0.0)]
    with pytest.raises(BetError) as raised:
        Judge(canned_reader, JudgingContext(rules_for(), CARDS, bet=bet)).judge(frames, 0.0)
    assert str(raised.value) == f"nobody sits in seat {bet} to bet on: {sentence}"


def test_hands_are_more_likely_headgear_at_bam_only(canned_reader: Reader, party: FrameReading) -> None:
    def chances(*, at_bam: bool) -> HeadgearProbabilities:
        judge = Judge(canned_reader, JudgingContext(rules_for(), at_bam=at_bam))
        (player, *_) = judge.judge([Frame(party.image, 0.0)], 0.0).players
        side = next(iter(player.reading.player.hands))
        return player.reading.headgear[side].probabilities

    still, bam = chances(at_bam=False), chances(at_bam=True)
    prior = canned_reader.settings.freeze.headgear_prior
    assert prior > 1
    assert bam == still.with_headgear_odds(prior)


def judged(reader: Reader, party: FrameReading, context: JudgingContext) -> dict[str, Any]:
    judgement = Judge(reader, context).judge([Frame(party.image, 0.0)], 1.23456)
    line = json_line(judgement_json("party.png", judgement))
    assert "\n" not in line
    content: dict[str, Any] = json.loads(line)
    return content


def test_a_judgement_without_cards(canned_reader: Reader, party: FrameReading) -> None:
    content = judged(canned_reader, party, JudgingContext(rules_for()))
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


def test_a_judgement_with_cards_and_a_bet(canned_reader: Reader, party: FrameReading) -> None:
    content = judged(canned_reader, party, JudgingContext(rules_for(), parse_table("MOOSE+2 L.WU+1"), bet=2))
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
    moves = [{"animal": "moose", "spaces": 3}]
    assert content["narrator"] == {"bet": 2, "moves": moves, "say": "Narrator: moose ahead 3"}


def test_an_empty_image_gives_an_empty_list(canned_reader: Reader, party: FrameReading) -> None:
    judgement = Judge(canned_reader, JudgingContext(rules_for())).judge([Frame(party.image[:, :8].copy(), 0.0)], 0.0)
    assert json.loads(json_line(judgement_json("wall.png", judgement)))["players"] == []


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


def test_no_hand_has_only_a_null_kind() -> None:
    assert json_line(hand_json("wall.jpg", None)) == (
        '{"source": "wall.jpg", "kind": null, "spread": null, "form": null, "direction": null, "confidence": null,'
        ' "unclear": [], "reasons": []}'
    )


def test_all_faces_of_an_image_are_one_object(reader: Reader, party: FrameReading) -> None:
    content = json.loads(json_line(faces_json("party.png", reader.read_faces(party.image))))
    assert list(content) == ["source", "faces"]
    assert [list(face) for face in content["faces"]] == [["face_px", "tongue"]] * 2
    assert [face["face_px"][0] for face in content["faces"]] == [round(player.face.x) for player in party.players]


def test_file_names_that_are_not_text_give_different_lines() -> None:
    names = [os.fsdecode(name) for name in (b"ant\xffler.jpg", b"ant\xfeler.jpg")]
    lines = [json_line(hand_json(name, None)) for name in names]
    assert all(line.isascii() for line in lines)
    assert [json.loads(line)["source"] for line in lines] == names
