"""Truths and readings in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.rules.pose import Animal, Form, Tongue
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from tests.unit.training.evaluate.made_images import read
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.label_words import Words, read_words, spelled, truth_words
from training.evaluate.reading import ReadHeadgear, ReadTongue
from training.evaluate.truth import PeopleTruth, PlayerTruth

if TYPE_CHECKING:
    from training.evaluate.reading import Read
    from training.evaluate.truth import Truth

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
