"""Splits of real people by person and by source."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from training.headgear.splits import BY_PERSON, BY_SOURCE, Split

PEOPLE = [(f"{source}_{number}", source) for source in ("echo", "lsc", "frames", "asl", "dgs") for number in range(40)]


@pytest.mark.parametrize("split", [BY_PERSON, BY_SOURCE], ids=lambda split: split.name)
def test_every_group_is_used(split: Split) -> None:
    assert {split.group_of(person, source) for person, source in PEOPLE} == set(range(split.groups))


def test_a_person_is_in_one_fold_whatever_the_source() -> None:
    assert all(BY_PERSON.group_of(person, "echo") == BY_PERSON.group_of(person, "lsc") for person, _ in PEOPLE)


def test_three_sources_are_left_out_alone_and_the_others_together() -> None:
    groups = {source: BY_SOURCE.group_of("anybody", source) for _, source in PEOPLE}
    assert groups == {"echo": 0, "lsc": 1, "frames": 2, "asl": 3, "dgs": 3}


@dataclass(frozen=True)
class Shown:
    person: str
    source: str


CROPS = [
    Shown("only echo", "echo"),
    Shown("echo and lsc", "echo"),
    Shown("echo and lsc", "lsc"),
    Shown("echo and asl", "asl"),
    Shown("echo and asl", "echo"),
    Shown("asl and dgs", "asl"),
    Shown("asl and dgs", "dgs"),
    Shown("only frames", "frames"),
]
"""Crops of persons of whom most are in several sources."""


@pytest.mark.parametrize(
    ("group", "others"),
    [
        (0, {"asl and dgs", "only frames"}),
        (1, {"only echo", "echo and asl", "asl and dgs", "only frames"}),
        (2, {"only echo", "echo and lsc", "echo and asl", "asl and dgs"}),
        (3, {"only echo", "echo and lsc", "only frames"}),
    ],
    ids=["echo", "lsc", "frames", "all other sources"],
)
def test_who_is_in_a_source_left_out_is_not_learnt_from_in_any_other(group: int, others: set[str]) -> None:
    persons = [crop.person for crop in CROPS]
    rows = BY_SOURCE.rows_without(group, CROPS, persons)
    assert {persons[row] for row in rows} == others
    assert len(rows) == sum(person in others for person in persons)


@pytest.mark.parametrize("split", [BY_PERSON, BY_SOURCE], ids=lambda split: split.name)
def test_nobody_who_is_measured_was_learnt_from(split: Split) -> None:
    persons = [crop.person for crop in CROPS]
    for crop in CROPS:
        group = split.group_of(crop.person, crop.source)
        assert crop.person not in {persons[row] for row in split.rows_without(group, CROPS, persons)}


@pytest.mark.parametrize("split", [BY_PERSON, BY_SOURCE], ids=lambda split: split.name)
def test_views_of_nobody_real_and_of_persons_of_other_groups_are_kept(split: Split) -> None:
    persons = ["", *(crop.person for crop in CROPS), ""]
    for group in range(split.groups):
        rows = split.rows_without(group, CROPS, persons)
        assert {0, len(persons) - 1} <= {*rows.tolist()}


def test_a_person_is_left_out_by_crops_that_no_view_shows() -> None:
    assert BY_SOURCE.rows_without(1, CROPS, ["echo and lsc", "only echo"]).tolist() == [1]


def test_without_a_crop_in_the_group_everybody_is_learnt_from() -> None:
    assert BY_SOURCE.rows_without(2, CROPS[:3], ["only echo", "echo and lsc"]).tolist() == [0, 1]
