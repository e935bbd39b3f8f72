"""The poems: there in every length and language."""

import pytest

from bunnymoose_cv.errors import InputError
from bunnymoose_cv.rules.deck import Variant, rules_for
from bunnymoose_cv.rules.poem import load_poem, poem_languages


@pytest.mark.parametrize("language", poem_languages())
@pytest.mark.parametrize("variants", [[Variant.FOUR_LINES], [], [Variant.EIGHT_LINES]])
def test_a_poem_has_a_line_for_each_pile(language: str, variants: list[Variant]) -> None:
    piles = rules_for(variants=variants).piles
    poem = load_poem(piles, language)
    assert len(poem) == piles
    assert all(line.draw.strip() and line.lay.strip() for line in poem)
    assert len(set(poem)) == piles


def test_there_are_poems_in_two_languages() -> None:
    assert poem_languages() == ("de", "en")
    assert load_poem(6, "de") != load_poem(6)


@pytest.mark.parametrize(
    ("lines", "language", "sentence"),
    [
        (6, "xx", "There is no poem in “xx”: choose one of de, en"),
        (5, "en", "no poem of 5 lines: choose one of 4, 6, 8"),
    ],
)
def test_a_poem_that_there_is_not(lines: int, language: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        load_poem(lines, language)
