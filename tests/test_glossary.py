"""The glossary leads somewhere: each term has its row, and each file and name exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "reference" / "glossary.md").read_text("utf-8")
ENTRIES = re.findall(r"^\| (?!game term|field term|---)(.+?) \| (.+) \| (.+) \|$", TEXT, re.MULTILINE)
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


def test_every_place_exists() -> None:
    assert [place for place in sorted(set(places(TEXT))) if not found(place)] == []


def test_every_term_has_a_row() -> None:
    terms = re.split(r",\s*", VOCABULARY.strip())
    entries = [entry for entry, _, _ in ENTRIES]
    assert len(terms) > 60
    assert [term for term in terms if not any(has_term(entry, term) for entry in entries)] == []


def has_term(entry: str, term: str) -> bool:
    return re.search(rf"\b{re.escape(term)}s?\b", entry, re.IGNORECASE) is not None


def test_every_name_stands_in_the_code() -> None:
    named = sorted({name for _, _, code in ENTRIES for name in names(code)})
    assert named
    assert [name for name in named if not all(map(is_defined, name.split(".")))] == []


def is_defined(name: str) -> bool:
    """Return whether code defines a name, or a module is called by it."""
    defined = re.search(rf"(?:\b(?:class|def) {name}\b|^\s*{name}\b *[:=])", CODE, re.MULTILINE)
    return defined is not None or bool(found(f"{name}.py"))
