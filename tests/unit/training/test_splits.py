"""Splits of real people by person and by source."""

from __future__ import annotations

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
