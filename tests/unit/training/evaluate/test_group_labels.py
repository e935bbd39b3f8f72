"""Labels of groups: one value for everybody, or one for each seat."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.evaluate.csv_list import ManifestError
from training.evaluate.datasets import Row, RowKind
from training.evaluate.group_labels import check_group_labels, label_values


def row(**labels: str) -> Row:
    return Row("c", Path("c.jpg"), RowKind.SCENE, labels, 2)


@pytest.mark.parametrize(
    ("label", "players", "values"),
    [("dim", 1, ["dim"]), ("dim", 3, ["dim", "dim", "dim"]), ("dim/bright", 2, ["dim", "bright"])],
)
def test_a_label_tells_one_value_for_everybody_or_one_for_each(label: str, players: int, values: list[str]) -> None:
    assert label_values(row(light=label), "light", players) == values


def test_a_label_for_another_number_of_people_is_refused() -> None:
    with pytest.raises(ManifestError, match=r"Line 2 .*\(c\) has age= for 3 seats and 2 people: write one value, or"):
        check_group_labels(row(light="dim", age="12/70/30"), 2)


def test_a_label_that_makes_no_group_may_have_any_number() -> None:
    check_group_labels(row(weather="fine/dull/wet"), 2)
