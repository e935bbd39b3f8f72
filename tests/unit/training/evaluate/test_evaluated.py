"""Labelled images beside what was read of them."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.comparison import LARGEST_GROUP, Measure, Outcome
from training.evaluate.headgear_fields import HeadgearFields

IMAGE = shown("a", "WU WU", read("WU WU"))


def test_a_measure_is_right_if_all_of_its_comparisons_are() -> None:
    outcomes = tuple(
        Outcome(measure, right=right, sure=None, confidence=None)
        for measure, right in ((Measure.TONGUE, True), (Measure.KIND, True), (Measure.KIND, False))
    )
    right = replace(IMAGE, outcomes=outcomes).right
    assert list(right.items()) == [
        (measure, measure is Measure.TONGUE) for measure in Measure if measure in {Measure.KIND, Measure.TONGUE}
    ]


def test_players_stand_beside_what_was_read_of_them() -> None:
    ((truth, own),) = IMAGE.players
    assert (str(truth.pose), own) == ("WU WU", read("WU WU"))
    ((_, nobody),) = shown("b", "WU WU").players
    assert nobody is None


def test_hands_and_large_groups_have_no_players() -> None:
    assert replace(IMAGE, truth=HeadgearFields()).players == ()
    assert replace(IMAGE, read=None).players == ()
    assert len(shown("c", "/".join(["WU WU"] * LARGEST_GROUP)).players) == LARGEST_GROUP
    assert shown("d", "/".join(["WU WU"] * (LARGEST_GROUP + 1))).players == ()
