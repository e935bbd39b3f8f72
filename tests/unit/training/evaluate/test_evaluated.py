"""Evaluated images: outcomes, words, the worst mistakes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.rules.pose import Animal, Form, Tongue
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.comparison import LARGEST_GROUP, Measure, Outcome
from training.evaluate.evaluated import Words, mistakes, read_words, spelled, truth_words
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.reading import ReadHeadgear, ReadTongue
from training.evaluate.truth import PeopleTruth, PlayerTruth

if TYPE_CHECKING:
    from training.evaluate.reading import Read
    from training.evaluate.truth import Truth


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


EAR = HeadgearFields(Kind.EAR, form=Form.STRAIGHT)


@pytest.mark.parametrize(
    ("truth", "words"),
    [
        (None, {}),
        (EAR, {"kind": "ear", "form": "S"}),
        (Tongue.OUT, {"tongue": "out"}),
        (
            PeopleTruth((PlayerTruth(animal=Animal.BUSH, left=HeadgearFields(Kind.ANTLER), tongue=Tongue.IN),)),
            {"faces": 1, "animal": "bush", "left.kind": "antler", "tongue": "in"},
        ),
    ],
)
def test_a_truth_holds_what_its_labels_tell(truth: Truth, words: Words) -> None:
    assert truth_words(truth) == words


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (None, {"kind": None}),
        (ReadHeadgear(EAR, frozenset({Field.FORM})), {"kind": "ear", "form": "S", "unclear": ["form"]}),
        (ReadTongue(Tongue.IN, unclear=True), {"tongue": "in", "unclear": ["tongue"]}),
        (ReadTongue(Tongue.IN), {"tongue": "in", "unclear": []}),
        ((read("WU --"),), {"faces": 1, "poses": ["WU --"], "unclear": [[]]}),
    ],
)
def test_a_reading_says_what_is_unclear(own: Read, words: Words) -> None:
    assert read_words(own) == words


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ({"faces": 2, "poses": ["WU CD t", "-- SS"]}, "faces 2, poses WU CD t / -- SS"),
        ({"unclear": [["left.kind", "tongue"], []]}, "unclear left.kind tongue / –"),
        ({"poses": []}, "poses –"),
        ({"kind": None}, "kind None"),
    ],
)
def test_words_stand_in_one_line(words: Words, line: str) -> None:
    assert spelled(words) == line


def test_the_worst_mistakes_are_the_surest() -> None:
    images = [
        shown("asked", "WU WU", read("CU WU", 0.7, limit=0.9)),
        shown("right", "WU WU", read("WU WU")),
        shown("surest", "WU WU", read("CU WU", 0.99)),
        shown("missed", "WU WU"),
        shown("sure", "WU WU", read("CU CU", 0.6, limit=0.5)),
    ]
    assert [mistake.image.row.name for mistake in mistakes(images)] == ["surest", "sure", "asked", "missed"]
    assert mistakes(images)[1].wrong == (Outcome(Measure.SPREAD, right=False, sure=True, confidence=0.6),) * 2
