"""Right-to-left names are drawn in order and joined, next to any other text."""

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.drawing import letters
from bunnymoose_cv.drawing.letters import BOLD, PLAIN, draw_caption, text_width, write_text
from bunnymoose_cv.drawing.strokes import WHITE

ARABIC = "سلمى"


def drawn(text: str, weight: int = BOLD) -> Image:
    canvas = np.zeros((60, 500, 3), np.uint8)
    write_text(canvas, text, (10, 40), 30, weight)
    return canvas


def drawn_from_the_left(text: str) -> Image:
    """Draw letters one by one from the left, as OpenCV does."""
    canvas = np.zeros((60, 500, 3), np.uint8)
    cv2.putText(canvas, text, (10, 40), WHITE, cv2.FontFace("sans"), 30, BOLD)
    return canvas


@pytest.mark.parametrize(
    ("text", "from_the_left"),
    [
        ("Łukasz: moose ahead 3", "Łukasz: moose ahead 3"),
        ("さくら 2", "さくら 2"),
        ("אורי", "ירוא"),
        ("אורי: moose ahead 3", "ירוא: moose ahead 3"),
        ("2 · אורי כהן 3", "2 · ןהכ ירוא 3"),
        ("אורי 12 כהן", "ןהכ 12 ירוא"),
        ("אורי, דנה", "ירוא, הנד"),
        ("Anna אורי b", "Anna ירוא b"),
    ],
)
def test_only_right_to_left_words_are_reversed(text: str, from_the_left: str) -> None:
    np.testing.assert_array_equal(drawn(text), drawn_from_the_left(from_the_left))


@pytest.fixture
def _arabic_font() -> None:
    if letters.joining_font(ARABIC, 30, BOLD) is None:
        pytest.skip("this system has no font with Arabic letters, or no raqm")


@pytest.mark.usefixtures("_arabic_font")
@pytest.mark.parametrize("weight", [BOLD, PLAIN])
def test_arabic_letters_are_joined(weight: int) -> None:
    apart = sum(text_width(letter, 30, weight) for letter in ARABIC)
    assert text_width(ARABIC, 30, weight) < 0.9 * apart
    for text in (ARABIC, f"2 · {ARABIC}: moose ahead 3", f"אורי, {ARABIC}, さくら"):
        last = int(np.nonzero(drawn(text, weight).any(axis=(0, 2)))[0][-1])
        assert text_width(text, 30, weight) == pytest.approx(last - 10, abs=8)


@pytest.mark.usefixtures("_arabic_font")
def test_text_beside_arabic_is_drawn_unchanged() -> None:
    width = round(text_width("2 · ", 30, BOLD))
    np.testing.assert_array_equal(drawn(f"2 · {ARABIC}")[:, : width + 5], drawn("2 · ")[:, : width + 5])


def test_arabic_letters_are_ordered_without_a_joining_font(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "joining_font", lambda *_: None)
    np.testing.assert_array_equal(drawn(f"{ARABIC}: 3"), drawn_from_the_left(f"{ARABIC[::-1]}: 3"))


@pytest.mark.parametrize("text", [f"2 · {ARABIC}: moose ahead 3", "אורי"])
def test_caption_shows_right_to_left_names(text: str) -> None:
    image = np.full((240, 320, 3), 120, np.uint8)
    captioned = draw_caption(image, text)
    assert (captioned[-30:] > 200).any()
    assert (captioned[:180] == 120).all()
