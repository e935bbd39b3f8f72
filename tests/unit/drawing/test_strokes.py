"""Lines in colours that everybody tells apart, each with a dark edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.drawing.strokes import GREY, ORANGE, SKY_BLUE, WHITE, YELLOW, draw_line, outline, scaled
from bunnymoose_cv.vision.geometry import Box

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.drawing.strokes import Colour

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


def test_a_line_has_a_dark_edge_on_a_light_ground() -> None:
    canvas = np.full((40, 60, 3), 200, np.uint8)
    draw_line(canvas, outline(Box(-20, 20, 100, 100)), YELLOW, 2)
    column = canvas[:, 30]
    assert (column[20] == YELLOW).all()
    assert (column[:20] < 60).all(1).any()
    assert (column[:15] == 200).all()


def test_a_dashed_line_has_gaps_as_long_as_its_dashes() -> None:
    canvas = np.zeros((40, 200, 3), np.uint8)
    ends = [np.array(end, np.float32) for end in ((0, 20), (192, 20))]
    draw_line(canvas, ends, WHITE, 2, dashed=True)
    drawn = (canvas[20] > 200).all(1)
    assert np.diff(drawn.astype(int)).clip(0).sum() == 192 // 16 - 1
    assert drawn[:192].mean() < 0.75


def test_a_box_is_scaled_with_its_place_and_outlined_to_a_close() -> None:
    assert scaled(Box(1, 2, 3, 4), 2) == Box(2, 4, 6, 8)
    corners = [tuple(corner) for corner in outline(Box(1, 2, 3, 4))]
    assert corners == [(1, 2), (4, 2), (4, 6), (1, 6), (1, 2)]
