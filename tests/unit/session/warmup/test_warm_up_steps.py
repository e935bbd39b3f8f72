"""Warm-up steps: they teach the words in which cards and verdicts are told."""

import pytest

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.session.warmup.warm_up_steps import STEPS


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("pose", "terms"),
    [
        ("WU WU", ["wide", "antler"]),
        ("CD CD", ["compact", "antler"]),
        ("TS TS", ["straight"]),
        ("SF SF", ["floppy"]),
    ],
)
def test_a_step_says_the_terms_of_the_cards(language: Language, pose: str, terms: list[str]) -> None:
    texts = Texts(language)
    (step,) = (step for step in STEPS if str(step.asked) == pose)
    words = texts(step.words)
    assert all(texts(term)[:-1] in words for term in terms), words  # the plural has another ending
