"""Letters on an image."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.drawing.letters import BOLD, PLAIN, sans, text_width
from bunnymoose_cv.drawing.strokes import WHITE

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image


@pytest.mark.parametrize("letter", "äöüßéèêçñčřžůúšíýáě·—°±×")
def test_the_font_has_every_letter_we_write(letter: str) -> None:
    def written(text: str) -> Image:
        canvas = np.zeros((60, 60, 3), np.uint8)
        cv2.putText(canvas, text, (10, 40), WHITE, sans(), 30, BOLD)
        return canvas

    assert (written(letter) != written("\uffff")).any()


@pytest.mark.parametrize(
    ("text", "letters", "weight", "wider"),
    [("moose", 20, PLAIN, ("moose!", 20, PLAIN)), ("moose", 20, PLAIN, ("moose", 30, PLAIN))],
)
def test_more_and_larger_letters_are_wider(
    text: str, letters: float, weight: int, wider: tuple[str, float, int]
) -> None:
    assert 0 < text_width(text, letters, weight) < text_width(*wider)


def test_a_width_is_that_of_what_is_written() -> None:
    canvas = np.zeros((60, 300, 3), np.uint8)
    cv2.putText(canvas, "moose ahead", (0, 40), WHITE, sans(), 30, BOLD)
    drawn = int(np.nonzero(canvas.any(axis=(0, 2)))[0][-1])
    assert text_width("moose ahead", 30, BOLD) == pytest.approx(drawn, abs=4)
