"""Readings in words."""

import pytest

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.drawing.pose_words import headgear_words, tongue_words
from bunnymoose_cv.rules.pose import parse_headgear
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading


@pytest.mark.parametrize(
    ("notation", "unclear", "words"),
    [
        ("WU", [], "wide antler up"),
        ("CD", [], "compact antler down"),
        ("TF", [], "floppy ear on top"),
        ("SS", [], "straight ear at the side"),
        ("--", [], "nothing"),
        ("--", [Field.KIND], "nothing?"),
        ("WU", [Field.SPREAD], "wide? antler up"),
        ("CD", [Field.KIND, Field.DIRECTION], "compact antler? down?"),
        ("TF", [Field.FORM, Field.PLACE], "floppy? ear on top?"),
    ],
)
def test_headgear_is_worded_with_its_doubts(notation: str, unclear: list[Field], words: str) -> None:
    assert headgear_words(parse_headgear(notation), unclear) == words


@pytest.mark.parametrize(
    ("probability_out", "words"),
    [(0.99, "tongue out"), (0.55, "tongue out?"), (0.45, "tongue in?"), (0.01, "tongue in")],
)
def test_a_tongue_is_worded_with_its_doubt(probability_out: float, words: str) -> None:
    assert tongue_words(TongueReading.of(probability_out, load_settings().tongue)) == words
