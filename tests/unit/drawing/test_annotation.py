"""Drawings on an image: every player, in signs that differ, readable at any size, nothing on anything else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.drawing.annotation import SHORTEST_SIDE, draw
from bunnymoose_cv.drawing.headgear_signs import headgear_colour
from bunnymoose_cv.drawing.notes import ENGLISH, notes_about
from bunnymoose_cv.drawing.strokes import GREY, ORANGE, SKY_BLUE, WHITE, YELLOW
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.drawing.strokes import Colour
    from bunnymoose_cv.vision.reader import Reader

UNSURE = HeadgearProbabilities(0.5, 0.4, 0.1)


def has(image: Image, colour: Colour) -> bool:
    """Tell if more than a few pixels have very nearly this colour."""
    return int((np.abs(image.astype(int) - colour).max(2) < 8).sum()) > 20


def with_doubt(party: FrameReading, reader: Reader) -> FrameReading:
    """The same, but the left side of seat 1 is anybody's guess."""
    first, second = party.players
    unsure = reader.headgear_reading(first.player, Side.LEFT, UNSURE)
    return replace(
        party, players=(PlayerReading(first.player, {**first.headgear, Side.LEFT: unsure}, first.tongue), second)
    )


def test_the_image_itself_stays_as_it_is(party: FrameReading) -> None:
    before = party.image.copy()
    drawn = draw(party, {1: "Rabbit back 1"})
    assert (party.image == before).all()
    assert drawn.shape == party.image.shape
    assert (drawn != before).any()


def test_nobody_leaves_the_image_untouched(party: FrameReading) -> None:
    assert (draw(replace(party, players=())) == party.image).all()


def test_ears_and_antlers_have_colours_of_their_own_each_on_its_player(party: FrameReading) -> None:
    drawn = draw(party)
    rabbit, moose = drawn[:, :640], drawn[:, 640:]
    assert has(rabbit, YELLOW)
    assert not has(rabbit, SKY_BLUE)
    assert has(moose, SKY_BLUE)
    assert not has(moose, YELLOW)


def test_joints_of_hands_have_the_colour_of_their_headgear(party: FrameReading) -> None:
    drawn = draw(party)
    for player in party.players:
        for side, hand in player.player.hands.items():
            columns, rows = hand.points[:, :2].round().astype(int).T
            away = np.abs(drawn[rows, columns].astype(int) - headgear_colour(player.headgear[side].headgear))
            assert np.mean(away.max(1) < 8) > 0.5, "labels may cover some of them"


def test_doubt_is_dashed_and_asked(party: FrameReading, reader: Reader) -> None:
    doubtful = with_doubt(party, reader)
    assert has(draw(doubtful)[:, :640], ORANGE)
    notes = notes_about(doubtful.players[0], 1.0, {}, ENGLISH)
    assert [note.dashed for note in notes] == [True, True, bool(doubtful.players[0].headgear[Side.RIGHT].unclear)]
    assert "?" in notes[1].lines[0]


@pytest.mark.parametrize("scale", [0.25, 0.5, 1.0, 3.0])
def test_letters_can_be_read_at_any_size(party: FrameReading, reader: Reader, scale: float) -> None:
    image = np.asarray(cv2.resize(party.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    reading = reader.read(image)
    drawn = draw(reading, {1: "Seat 1: rabbit back 1", 2: "Seat 2: moose ahead 3"})
    assert len(reading.players) == 2
    assert min(drawn.shape[:2]) >= max(SHORTEST_SIDE, min(image.shape[:2]))
    assert has(drawn, WHITE)
    assert drawn.shape[1] / drawn.shape[0] == pytest.approx(2, abs=0.02)


def test_twenty_players_in_one_image_all_get_their_labels(party: FrameReading) -> None:
    """Players stand in each other's way; the letters shrink until all labels fit."""
    crowd = replace(party, players=party.players * 10)
    drawn = draw(crowd, {1: "Seat 1: rabbit back 1", 2: "Seat 2: moose ahead 3"})
    assert (drawn != draw(party)).any()
    assert has(drawn, YELLOW)


def test_what_is_no_headgear_is_grey(party: FrameReading, reader: Reader) -> None:
    player = party.players[1]
    nothing = reader.headgear_reading(player.player, Side.LEFT, HeadgearProbabilities(0.01, 0.01, 0.98))
    drawn = draw(replace(party, players=(replace(player, headgear=dict.fromkeys(Side, nothing)),)))
    assert has(drawn, GREY)
    assert not has(drawn, SKY_BLUE)
