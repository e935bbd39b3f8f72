"""Drawings on an image: every player, in signs that differ, readable at any size, nothing on anything else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.drawing.annotation import SHORTEST_SIDE, draw
from bunnymoose_cv.drawing.caption import draw_caption
from bunnymoose_cv.drawing.headgear_signs import headgear_sign
from bunnymoose_cv.drawing.letters import BOLD, sans
from bunnymoose_cv.drawing.notes import ENGLISH, notes_about
from bunnymoose_cv.drawing.strokes import GREY, ORANGE, SKY_BLUE, WHITE, YELLOW
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import ANTLERS, EARS, Side
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


# How people without one sort of cones see linear red, green, blue (Machado, Oliveira and Fernandes 2009, severity 1).
SIGHTS = {
    "all cones": np.eye(3),
    "no long cones": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no middle cones": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no short cones": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(("one", "other"), [(SKY_BLUE, YELLOW), (SKY_BLUE, GREY), (YELLOW, GREY), (ORANGE, WHITE)])
def test_colours_differ_to_every_eye(sight: str, one: Colour, other: Colour) -> None:
    def seen(colour: Colour) -> Image:
        linear = (np.array(colour[::-1]) / 255) ** 2.2
        displayed = np.clip(np.asarray(SIGHTS[sight]) @ linear, 0, 1) ** (1 / 2.2)
        return np.asarray(cv2.cvtColor(displayed.astype(np.float32)[None, None], cv2.COLOR_RGB2LAB)[0, 0])

    just_noticeable = 2.3
    assert np.linalg.norm(seen(one) - seen(other)) > 8 * just_noticeable


def test_each_headgear_has_its_own_sign_and_words() -> None:
    """An ear's sign shows its form; where it stands, its words say."""
    antlers = {headgear_sign(antler) for antler in ANTLERS}
    ears = {headgear_sign(ear) for ear in EARS}
    assert (len(antlers), len(ears), len(antlers | ears)) == (4, 2, 6)


def test_doubt_is_dashed_and_asked(party: FrameReading, reader: Reader) -> None:
    doubtful = with_doubt(party, reader)
    assert has(draw(doubtful)[:, :640], ORANGE)
    notes = notes_about(doubtful.players[0], 1.0, {}, ENGLISH)
    assert [note.dashed for note in notes] == [True, True, bool(doubtful.players[0].headgear[Side.RIGHT].unclear)]
    assert "?" in notes[1].lines[0]


def test_a_side_without_a_hand_is_named_only_in_doubt(party: FrameReading, reader: Reader) -> None:
    player = party.players[1]
    handless = replace(player.player, hands={})
    for probabilities, named in ((HeadgearProbabilities(0.01, 0.01, 0.98), 0), (UNSURE, 2)):
        reading = reader.headgear_reading(handless, Side.LEFT, probabilities)
        notes = notes_about(replace(player, player=handless, headgear=dict.fromkeys(Side, reading)), 1.0, {}, ENGLISH)
        assert len(notes) == 1 + named


def test_banners_name_seat_and_announcement(party: FrameReading) -> None:
    banners = {1: "Grün: Hase bleibt stehen"}
    with_banner, without = (notes_about(player, 1.0, banners, ENGLISH)[0] for player in party.players)
    assert with_banner.lines[0] == "1  Grün: Hase bleibt stehen"
    assert without.lines[0] == "2  Moose"


def test_the_words_are_those_of_the_table(party: FrameReading) -> None:
    moose = party.players[1]
    banner, left, right = notes_about(moose, 1.0, {}, Texts(Language.GERMAN))
    assert banner.lines[0] == "2  Elch"
    for note, side in ((left, Side.LEFT), (right, Side.RIGHT)):
        confidence = moose.headgear[side].confidence
        assert note.lines == ("breite Schaufel", f"nach oben · {confidence:.0%}".replace("%", "\N{NO-BREAK SPACE}%"))


@pytest.mark.parametrize("letter", "äöüßéèêçñčřžůúšíýáě·—°±×")
def test_the_font_has_every_letter_we_write(letter: str) -> None:
    def written(text: str) -> Image:
        canvas = np.zeros((60, 60, 3), np.uint8)
        cv2.putText(canvas, text, (10, 40), WHITE, sans(), 30, BOLD)
        return canvas

    assert (written(letter) != written("\uffff")).any()


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


@pytest.mark.parametrize(
    "text", ["Blue moved", "2 · Marie-Antoinette: rabbit ahead 12 · Jean-Christophe: -- --, put right by all"]
)
def test_a_caption_fits_and_leaves_the_image_above_it(text: str) -> None:
    image = np.full((240, 320, 3), 120, np.uint8)
    captioned = draw_caption(image, text)
    assert (captioned[:190] == image[:190]).all()
    assert (image == 120).all()
    columns = np.nonzero((captioned[200:] > 200).any(axis=(0, 2)))[0]
    assert len(columns) > 30
    assert columns[-1] < 318


def test_an_empty_caption_leaves_a_image_like_it() -> None:
    image = np.full((240, 320, 3), 120, np.uint8)
    captioned = draw_caption(image, "")
    assert captioned is not image
    assert (captioned == image).all()
