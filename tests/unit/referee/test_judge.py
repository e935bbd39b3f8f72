"""A judgement put together from real readings: scores, look-alikes, bets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.referee.judge import BetError, Judge, JudgingContext
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import Rules, Variant, rules_for
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.scoring import score
from tests.doubtful import party_with_doubt

if TYPE_CHECKING:
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading

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
    ("cards", "everything", "told"),
    [
        ("L.?U+2", False, (False, 1)),
        ("L.WU+2", False, (True, 0)),
        ("L.?U+2", True, (True, 1)),
        ("", False, None),
    ],
    ids=["does not matter", "matters", "asks for everything", "without cards"],
)
def test_a_doubt_is_asked_about_where_it_changes_the_move(
    canned_reader: Reader,
    party: FrameReading,
    cards: str,
    everything: bool,  # noqa: FBT001 - a column of the table
    told: tuple[bool, int] | None,
) -> None:
    green = party_with_doubt(party, canned_reader).players[1]
    context = JudgingContext(rules_for(), parse_table(cards) if cards else (), asks_everything=everything)
    move = Judge(canned_reader, context)._judge_player(green).move
    assert green.unclear == ("left.spread",)
    assert (None if move is None else (move.asked, len(move.reasons))) == told


@pytest.mark.parametrize(
    ("cards", "everything", "enough"),
    [("L.?U+2", False, True), ("L.WU+2", False, False), ("L.?U+2", True, False), ("", False, False)],
    ids=["does not matter", "matters", "asks for everything", "without cards"],
)
def test_frames_are_read_until_a_doubt_is_none_that_is_asked_about(
    canned_reader: Reader,
    party: FrameReading,
    cards: str,
    everything: bool,  # noqa: FBT001 - a column of the table
    enough: bool,  # noqa: FBT001 - likewise
) -> None:
    blue, green = party_with_doubt(party, canned_reader).players
    context = JudgingContext(rules_for(), parse_table(cards) if cards else (), asks_everything=everything)
    judge = Judge(canned_reader, context)
    assert [judge._needs_no_frame(each) for each in (blue, green)] == [True, enough]


def test_without_cards_nothing_is_said_but_everybody_counts_as_something(
    canned_reader: Reader, party: FrameReading
) -> None:
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


def test_look_alikes_are_announced_together_and_the_bet_is_copied_last(reader: Reader, party: FrameReading) -> None:
    moose = party.image[:, 640:]
    twins = np.hstack([moose, moose])
    names = ("Red", "Blue")
    judgement = Judge(reader, JudgingContext(rules_for(), CARDS, 2, names)).judge([Frame(twins, 0.0)], 0.0)
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
    assert [(announced.seats, announced.text) for announced in judgement.announced] == [
        ((1,), f"{first}: rabbit back 1"),
        ((2,), f"{second}: moose ahead 3"),
    ]


def test_a_player_alone_is_announced_without_a_seat(reader: Reader, party: FrameReading) -> None:
    judgement = Judge(reader, JudgingContext(rules_for(), CARDS)).judge([Frame(party.image[:, 640:].copy(), 0.0)], 0.0)
    assert judgement.said == ("Moose ahead 3",)


def test_several_frames_agree_on_what_one_of_them_hides(canned_reader: Reader, party: FrameReading) -> None:
    hidden = party.image.copy()
    hidden[:, 640:] = 128
    frames = [Frame(party.image, 0.0), Frame(hidden, 0.1), Frame(party.image, 0.2)]
    judgement = Judge(canned_reader, JudgingContext(rules_for())).judge(frames, 0.0)
    assert [player.species for player in judgement.players] == [Animal.RABBIT, Animal.MOOSE]


@pytest.mark.parametrize(
    ("bet", "width", "sentence"),
    [
        (3, 1280, "nobody sits in seat 3 to bet on: the picture shows 2 players, so name a seat from 1 to 2"),
        (0, 1280, "nobody sits in seat 0 to bet on: the picture shows 2 players, so name a seat from 1 to 2"),
        (-1, 1280, "nobody sits in seat -1 to bet on: the picture shows 2 players, so name a seat from 1 to 2"),
        (-9, 1280, "nobody sits in seat -9 to bet on: the picture shows 2 players, so name a seat from 1 to 2"),
        (2, 640, "nobody sits in seat 2 to bet on: the picture shows 1 player, so name seat 1"),
        (3, 8, "nobody sits in seat 3 to bet on: the picture shows no players"),
    ],
)
def test_a_bet_on_an_empty_seat_says_who_is_there(
    canned_reader: Reader, party: FrameReading, bet: int, width: int, sentence: str
) -> None:
    frames = [Frame(party.image[:, :width].copy(), 0.0)]
    with pytest.raises(BetError) as raised:
        Judge(canned_reader, JudgingContext(rules_for(), CARDS, bet=bet)).judge(frames, 0.0)
    assert str(raised.value) == sentence
