"""Lines, letters, captions and signs of which drawings are made."""

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.drawing.letters import BOLD, PLAIN, draw_caption, text_width, write_text
from bunnymoose_cv.drawing.strokes import (
    GREY,
    ORANGE,
    SKY_BLUE,
    WHITE,
    YELLOW,
    Colour,
    draw_line,
    headgear_colour,
    headgear_sign,
    outline,
    scaled,
)
from bunnymoose_cv.rules.pose import ANTLERS, EARS, HEADGEARS, parse_headgear
from bunnymoose_cv.vision.geometry import Box

# Simulation of dichromacy on linear red, green, blue (Machado, Oliveira and Fernandes 2009, severity 1).
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
def test_colours_differ_under_colour_blindness(sight: str, one: Colour, other: Colour) -> None:
    def seen(colour: Colour) -> Image:
        linear = (np.array(colour[::-1]) / 255) ** 2.2
        displayed = np.clip(np.asarray(SIGHTS[sight]) @ linear, 0, 1) ** (1 / 2.2)
        return np.asarray(cv2.cvtColor(displayed.astype(np.float32)[None, None], cv2.COLOR_RGB2LAB)[0, 0])

    just_noticeable = 2.3
    assert np.linalg.norm(seen(one) - seen(other)) > 8 * just_noticeable


def test_line_has_a_dark_edge_on_a_light_background() -> None:
    canvas = np.full((40, 60, 3), 200, np.uint8)
    draw_line(canvas, outline(Box(-20, 20, 100, 100)), YELLOW, 2)
    column = canvas[:, 30]
    assert (column[20] == YELLOW).all()
    assert (column[:20] < 60).all(1).any()
    assert (column[:15] == 200).all()


def test_dashed_line_has_gaps_as_long_as_its_dashes() -> None:
    canvas = np.zeros((40, 200, 3), np.uint8)
    ends = [np.array(end, np.float32) for end in ((0, 20), (192, 20))]
    draw_line(canvas, ends, WHITE, 2, dashed=True)
    drawn = (canvas[20] > 200).all(1)
    assert np.diff(drawn.astype(int)).clip(0).sum() == 192 // 16 - 1
    assert drawn[:192].mean() < 0.75


def test_box_is_scaled_with_its_position_and_outline_is_closed() -> None:
    assert scaled(Box(1, 2, 3, 4), 2) == Box(2, 4, 6, 8)
    corners = [tuple(corner) for corner in outline(Box(1, 2, 3, 4))]
    assert corners == [(1, 2), (4, 2), (4, 6), (1, 6), (1, 2)]


@pytest.mark.parametrize("letter", "äöüßéèêçñčřžůúšíýáě·—°±×")
def test_font_has_every_letter_of_the_languages(letter: str) -> None:
    def written(text: str) -> Image:
        canvas = np.zeros((60, 60, 3), np.uint8)
        write_text(canvas, text, (10, 40), 30, BOLD)
        return canvas

    assert (written(letter) != written("\uffff")).any()


def test_text_width_grows_with_length_and_size() -> None:
    width = text_width("moose", 20, PLAIN)
    assert 0 < width < min(text_width("moose!", 20, PLAIN), text_width("moose", 30, PLAIN))


def test_text_width_matches_the_drawn_text() -> None:
    canvas = np.zeros((60, 300, 3), np.uint8)
    write_text(canvas, "moose ahead", (0, 40), 30, BOLD)
    drawn = int(np.nonzero(canvas.any(axis=(0, 2)))[0][-1])
    assert text_width("moose ahead", 30, BOLD) == pytest.approx(drawn, abs=4)


@pytest.mark.parametrize(
    "text", ["Blue moved", "2 · Marie-Antoinette: rabbit ahead 12 · Jean-Christophe: -- --, put right by all"]
)
def test_caption_fits_and_leaves_the_image_above_unchanged(text: str) -> None:
    image = np.full((240, 320, 3), 120, np.uint8)
    captioned = draw_caption(image, text)
    assert (captioned[:190] == image[:190]).all()
    assert (image == 120).all()
    columns = np.nonzero((captioned[200:] > 200).any(axis=(0, 2)))[0]
    assert len(columns) > 30
    assert columns[-1] < 318


def test_empty_caption_returns_an_equal_copy() -> None:
    image = np.full((240, 320, 3), 120, np.uint8)
    captioned = draw_caption(image, "")
    assert captioned is not image
    assert (captioned == image).all()


def test_signs_distinguish_antlers_and_forms_of_ears() -> None:
    """The sign of an ear shows its form but not its place."""
    antlers = {headgear_sign(antler) for antler in ANTLERS}
    ears = {headgear_sign(ear) for ear in EARS}
    assert (len(antlers), len(ears), len(antlers | ears)) == (4, 2, 6)


def test_every_point_of_a_sign_is_in_the_unit_square() -> None:
    points = [point for headgear in HEADGEARS for line in headgear_sign(headgear) for point in line]
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in points)


@pytest.mark.parametrize(("notation", "colour"), [("WU", SKY_BLUE), ("CD", SKY_BLUE), ("TF", YELLOW), ("--", GREY)])
def test_headgear_colour_depends_on_its_kind(notation: str, colour: Colour) -> None:
    assert headgear_colour(parse_headgear(notation)) == colour


def test_missing_headgear_has_no_sign() -> None:
    assert headgear_sign(None) == ()
