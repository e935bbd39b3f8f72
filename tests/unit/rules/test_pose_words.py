"""Words for headgear and tongues."""

import pytest

from bunnymoose_cv.rules.pose import Tongue, parse_headgear
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.rules.pose_words import headgear_words, tongue_words


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
def test_words_for_headgear_mark_unclear_fields(notation: str, unclear: list[Field], words: str) -> None:
    assert headgear_words(parse_headgear(notation), unclear) == words


@pytest.mark.parametrize(("tongue", "words"), [(Tongue.OUT, "tongue out"), (Tongue.IN, "tongue in")])
def test_words_for_a_tongue_mark_doubt(tongue: Tongue, words: str) -> None:
    assert tongue_words(tongue, unclear=False) == words
    assert tongue_words(tongue, unclear=True) == f"{words}?"
