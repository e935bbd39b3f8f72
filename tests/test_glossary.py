"""The glossary leads somewhere: its files exist, and the word of each errand stands where the errand leads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "reference" / "glossary.md").read_text("utf-8")
TERMS, ERRANDS = TEXT.split("## Seven errands")
ROWS = re.findall(r"^\| (?!errand|---)(.+?) \| (.+) \| (.+) \|$", ERRANDS, re.MULTILINE)


def places(cell: str) -> list[str]:
    """Files and folders that a cell names in back-ticks."""
    return [name for name in re.findall(r"`([^`]+)`", cell) if name.endswith("/") or re.search(r"\.(py|toml)$", name)]


def found(place: str) -> list[Path]:
    """Paths of a place: from the checkout, in the package, or by the name alone."""
    exact = [root / place for root in (ROOT, ROOT / "bunnymoose_cv") if (root / place).exists()]
    return exact or ([] if "/" in place else list((ROOT / "bunnymoose_cv").rglob(place)))


@pytest.mark.parametrize("place", sorted(set(places(TEXT))))
def test_a_place_exists(place: str) -> None:
    assert found(place)


@pytest.mark.parametrize(("errand", "words", "leads_to"), ROWS, ids=[row[0] for row in ROWS])
def test_a_word_of_the_errand_stands_where_it_leads(errand: str, words: str, leads_to: str) -> None:
    del errand
    searched = [word.lower() for word in re.findall(r"`([^`]+)`", words)]
    texts = [path.read_text("utf-8").lower() for place in places(leads_to) for path in found(place) if path.is_file()]
    assert all(any(word in text for text in texts) for word in searched if not word.endswith("/"))


def test_there_are_seven_errands() -> None:
    assert len(ROWS) == 7
