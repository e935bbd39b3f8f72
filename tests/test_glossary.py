"""The glossary leads somewhere: each term has its row, each file and name exists, and errands find their word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "reference" / "glossary.md").read_text("utf-8")
TERMS, ERRANDS = TEXT.split("## Ten errands")
ROWS = re.findall(r"^\| (?!errand|---)(.+?) \| (.+) \| (.+) \|$", ERRANDS, re.MULTILINE)

ENTRIES = re.findall(r"^\| (?!game term|field term|---)(.+?) \| (.+) \| (.+) \|$", TERMS, re.MULTILINE)
CODE = "\n".join(
    path.read_text("utf-8")
    for folder in ("bunnymoose_cv", "training")
    for path in sorted((ROOT / folder).rglob("*.py"))
)

VOCABULARY = """
seat, player, narrator, headgear, antler, ear, tongue, pose, species, pile, table, card, bet, cue, freeze window,
reading, verdict, evidence, contest, correction, edition, profile,
image, frame, crop, tile, face, head, landmarks, detection, confidence, threshold, logit, probability, temperature,
log-odds, classifier, backbone, fusion, ensemble, cascade, non-maximum suppression, NMS, IoU, tracker, ring buffer,
debounce, jitter, hysteresis, median filter, dataset, training, validation, held-out, augmentation, pseudo-label,
domain gap, calibration, abstain, ablation, latency, throughput, warm-up, watchdog, back-off, lock, event, fold,
snapshot, migration
"""
"""Terms that engineers and players search for, of the game and of the field."""


def names(cell: str) -> list[str]:
    """Names of code that a cell holds in back-ticks, besides files, folders and notation."""
    return [name for name in re.findall(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`", cell) if name not in places(cell)]


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


@pytest.mark.parametrize("term", re.split(r",\s*", VOCABULARY.strip()))
def test_a_term_has_a_row(term: str) -> None:
    assert any(re.search(rf"\b{re.escape(term)}s?\b", entry, re.IGNORECASE) for entry, _, _ in ENTRIES)


@pytest.mark.parametrize("name", sorted({name for _, _, code in ENTRIES for name in names(code)}))
def test_a_name_stands_in_the_code(name: str) -> None:
    for part in name.split("."):
        assert re.search(rf"(?:\b(?:class|def) {part}\b|^\s*{part}\b *[:=])", CODE, re.MULTILINE) or found(f"{part}.py")


@pytest.mark.parametrize(("errand", "words", "leads_to"), ROWS, ids=[row[0] for row in ROWS])
def test_a_word_of_the_errand_stands_where_it_leads(errand: str, words: str, leads_to: str) -> None:
    del errand
    searched = [word.lower() for word in re.findall(r"`([^`]+)`", words)]
    texts = [path.read_text("utf-8").lower() for place in places(leads_to) for path in found(place) if path.is_file()]
    assert all(any(word in text for text in texts) for word in searched if not word.endswith("/"))


def test_there_are_ten_errands() -> None:
    assert len(ROWS) == 10
