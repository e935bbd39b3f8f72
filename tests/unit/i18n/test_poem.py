"""The poems: there in every length and language, of a rhythm that can be recited in the same tempo."""

import re

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.poem import PoemLine, load_poem
from bunnymoose_cv.rules.deck import Variant, rules_for

ALL_LINES = [line for language in Language for lines in (4, 6, 8) for line in load_poem(lines, language)]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("variants", [[Variant.FOUR_LINES], [], [Variant.EIGHT_LINES]])
def test_a_poem_has_a_line_for_each_pile(language: Language, variants: list[Variant]) -> None:
    piles = rules_for(variants=variants).piles
    poem = load_poem(piles, language)
    assert len(poem) == piles
    assert all(line.draw.strip() and line.lay.strip() for line in poem)
    assert len(set(poem)) == piles


def test_no_line_stands_in_two_poems() -> None:
    assert len(set(ALL_LINES)) == len(Language) * (4 + 6 + 8)


@pytest.mark.parametrize("line", ALL_LINES, ids=lambda line: f"{line.draw} {line.lay}")
def test_every_line_takes_as_long_to_say(line: PoemLine) -> None:
    """Groups of vowels, which are about its syllables: what is heard between two cards."""
    assert 5 <= len(re.findall(r"[aeiouyáàâéèêíîóôúůûýäöüěœ]+", f"{line.draw} {line.lay}", re.IGNORECASE)) <= 10


@pytest.mark.parametrize("lines", [0, 5, 7])
def test_a_poem_that_there_is_not(lines: int) -> None:
    with pytest.raises(InputError, match=f"no poem of {lines} lines: choose one of 4, 6, 8"):
        load_poem(lines)
