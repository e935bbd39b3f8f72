"""Groups of players, by labels and by the height of the face."""

from __future__ import annotations

import pytest

from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.comparison import Measure
from training.evaluate.groups import groups
from training.evaluate.shares import Share


def test_groups_come_from_labels_and_the_height_of_the_face() -> None:
    images = [
        shown("a", "WU WU", read("WU WU"), labels="light=dim;skin=dark", face=49),
        shown("b", "WU WU", read("WU WU t", limit=0.0), labels="light=dim;skin=light", face=50),
        shown("c", "TS TS/WU WU", read("TS TS"), read("CU WU"), labels="light=warm;skin=dark/light;age=12/70"),
    ]
    told = {(group.label, group.value): group for group in groups(images)}
    assert set(told) == {
        ("light", "dim"),
        ("light", "warm"),
        ("skin", "dark"),
        ("skin", "light"),
        ("face", "80 to 120 px"),
    }
    dim = told["light", "dim"]
    assert dim.people == 2
    assert (dim.right[Measure.POSE], dim.right[Measure.HEADGEAR]) == (Share(2, 1), Share(4, 4))
    assert dim.sure_wrong == Share(14, 1)
    assert told["skin", "dark"].right[Measure.POSE] == Share(2, 2)
    assert told["skin", "light"].right[Measure.POSE] == Share(2, 0)


@pytest.mark.parametrize(
    ("height", "band"),
    [(49, "0 to 50 px"), (50, "50 to 80 px"), (179.9, "120 to 180 px"), (180, "180 px and more")],
)
def test_a_face_belongs_to_the_band_of_its_height(height: float, band: str) -> None:
    (group,) = groups([shown(name, "WU WU", read("WU WU"), face=height) for name in "ab"])
    assert (group.label, group.value) == ("face", band)


def test_groups_of_numbers_stand_in_the_order_of_numbers() -> None:
    images = [shown(str(age), "WU WU", read("WU WU"), labels=f"age={age}") for age in (70, 9, 70, 9, 12, 12)]
    assert [group.value for group in groups(images) if group.label == "age"] == ["9", "12", "70"]
