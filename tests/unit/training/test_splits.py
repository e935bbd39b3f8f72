"""Splits of real people by person and by source."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from bunnymoose_cv.rules.pose import Side, Tongue
from training.evaluate.people import PersonRow
from training.evaluate.side_labels import SideLabel
from training.headgear.splits import BY_SOURCE, FOLDS, SOURCES, Split, by_person

HEADGEAR, NOTHING = SideLabel.parse("WU", "1"), SideLabel.parse("--", "1")


def row(person: str, source: str, *, headgear: int = 0) -> PersonRow:
    """One crop with headgear on so many sides."""
    sides = dict(zip(Side, [HEADGEAR] * headgear + [NOTHING] * (2 - headgear), strict=True))
    return PersonRow(f"{person}.jpg", Path(f"{person}.jpg"), person, source, sides, Tongue.IN)


PERSONS = [f"p{number}" for number in range(40)]
ROWS = [row(person, "echo", headgear=2 * (number < 12)) for number, person in enumerate(PERSONS)]
BY_PERSON = by_person(ROWS)


def test_folds_share_persons_and_headgear_evenly() -> None:
    persons = Counter(BY_PERSON.group_of(person, "echo") for person in PERSONS)
    with_headgear = Counter(BY_PERSON.group_of(person, "echo") for person in PERSONS[:12])
    assert set(persons) == set(range(FOLDS))
    assert max(with_headgear.values()) - min(with_headgear.values()) <= 1


def test_a_person_is_in_one_fold_whatever_the_source() -> None:
    assert all(BY_PERSON.group_of(person, "echo") == BY_PERSON.group_of(person, "lsc") for person in PERSONS)


def test_persons_with_the_most_headgear_are_in_different_folds() -> None:
    rows = [row(f"p{number}", "echo", headgear=2) for number in range(FOLDS) for _ in range(10)]
    split = by_person([*rows, *(row(f"few{number}", "echo", headgear=1) for number in range(10))])
    assert {split.group_of(f"p{number}", "echo") for number in range(FOLDS)} == set(range(FOLDS))


def test_four_sources_are_left_out_alone_and_the_others_together() -> None:
    sources = ("echo", "lsc", "rth", "h3_one", "h3_two", "frames", "gest")
    groups = {source: BY_SOURCE.group_of("anybody", source) for source in sources}
    assert groups == {"echo": 0, "lsc": 1, "rth": 2, "h3_one": 3, "h3_two": 3, "frames": 4, "gest": 4}
    assert BY_SOURCE.groups == len(SOURCES) + 1


@dataclass(frozen=True)
class Shown:
    person: str
    source: str


CROPS = [
    Shown("only echo", "echo"),
    Shown("echo and lsc", "echo"),
    Shown("echo and lsc", "lsc"),
    Shown("echo and gest", "gest"),
    Shown("echo and gest", "echo"),
    Shown("gest and frames", "gest"),
    Shown("gest and frames", "frames"),
    Shown("only rth", "rth"),
]
"""Crops of persons of whom most are in several sources."""


@pytest.mark.parametrize(
    ("group", "others"),
    [
        (0, {"gest and frames", "only rth"}),
        (1, {"only echo", "echo and gest", "gest and frames", "only rth"}),
        (2, {"only echo", "echo and lsc", "echo and gest", "gest and frames"}),
        (3, {"only echo", "echo and lsc", "echo and gest", "gest and frames", "only rth"}),
        (4, {"only echo", "echo and lsc", "only rth"}),
    ],
    ids=["echo", "lsc", "rth", "h3", "all other sources"],
)
def test_persons_of_a_left_out_source_are_learnt_from_in_no_other(group: int, others: set[str]) -> None:
    persons = [crop.person for crop in CROPS]
    rows = BY_SOURCE.rows_without(group, CROPS, persons)
    assert {persons[row] for row in rows} == others
    assert len(rows) == sum(person in others for person in persons)


def _split_of_crops() -> Split:
    return by_person([row(crop.person, crop.source) for crop in CROPS])


@pytest.mark.parametrize("split", [_split_of_crops(), BY_SOURCE], ids=lambda split: split.name)
def test_nobody_who_is_measured_was_learnt_from(split: Split) -> None:
    persons = [crop.person for crop in CROPS]
    for crop in CROPS:
        group = split.group_of(crop.person, crop.source)
        assert crop.person not in {persons[row] for row in split.rows_without(group, CROPS, persons)}


@pytest.mark.parametrize("split", [_split_of_crops(), BY_SOURCE], ids=lambda split: split.name)
def test_views_of_nobody_real_are_always_learnt_from(split: Split) -> None:
    persons = ["", *(crop.person for crop in CROPS), ""]
    for group in range(split.groups):
        rows = split.rows_without(group, CROPS, persons)
        assert {0, len(persons) - 1} <= {*rows.tolist()}


def test_a_person_is_left_out_by_crops_that_no_view_shows() -> None:
    assert BY_SOURCE.rows_without(1, CROPS, ["echo and lsc", "only echo"]).tolist() == [1]
