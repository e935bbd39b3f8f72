"""Drawing of notes as labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.drawing.note_drawing import draw_notes
from bunnymoose_cv.drawing.notes import Note
from bunnymoose_cv.drawing.strokes import ORANGE, SKY_BLUE

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image

NOTE = Note(("1  Moose", "wide antler"), ORANGE, (160, 120), (0, 0))


def drawn(*notes: Note, letters: float = 16.0, width: int = 320) -> Image:
    canvas = np.full((240, width, 3), 120, np.uint8)
    draw_notes(canvas, notes, (), letters)
    return canvas


def orange(image: Image) -> int:
    """Number of pixels that are orange, also where they are mixed with the ground."""
    return int((image[..., 2].astype(int) - image[..., 0] > 60).sum())


def test_a_label_is_a_dark_ground_with_a_border_and_white_letters() -> None:
    image = drawn(NOTE)
    assert (image == 20).all(2).sum() > 500
    assert orange(image) > 200
    assert (image == 255).all(2).sum() > 50


def test_a_dashed_border_says_less_than_a_whole_one() -> None:
    assert orange(drawn(replace(NOTE, dashed=True))) < 0.75 * orange(drawn(NOTE))


def test_a_sign_stands_before_the_text_in_the_colour_of_the_border() -> None:
    sign = (((0.0, 0.0), (1.0, 1.0)),)
    assert orange(drawn(replace(NOTE, sign=sign))) > orange(drawn(NOTE)) + 20


def test_a_label_far_from_what_it_names_has_a_leader() -> None:
    far = replace(NOTE, colour=SKY_BLUE, towards=(0, -6))
    assert (drawn(far)[110:122, 158:162] != 120).any()
    assert (drawn(replace(far, anchor=(160, 24), towards=(0, 0)))[110:122, 158:162] == 120).all()


@pytest.mark.parametrize(("width", "shows"), [(320, True), (60, True), (8, False)])
def test_letters_shrink_until_the_labels_fit_and_are_left_out_where_nobody_reads_them(
    width: int, *, shows: bool
) -> None:
    assert (drawn(NOTE, width=width) != 120).any() == shows
