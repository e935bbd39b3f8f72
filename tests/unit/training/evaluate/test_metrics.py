"""Figures of a labelled set and of its parts, on invented players."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bunnymoose_cv.rules.pose import Tongue
from bunnymoose_cv.rules.pose_fields import Field
from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.comparison import Measure, compare_people
from training.evaluate.datasets import Row, RowKind
from training.evaluate.evaluated import Evaluated
from training.evaluate.metrics import Figures, parts
from training.evaluate.reading import ReadTongue
from training.evaluate.shares import Share
from training.evaluate.truth import Between, PeopleTruth, PlayerTruth


def test_people_of_a_part_are_those_who_are_named() -> None:
    labels = ("source=a;subject=x", "source=a;subject=x", "source=a", "source=b")
    images = [shown(str(number), "WU WU", labels=own) for number, own in enumerate(labels)]
    assert [(part.name, part.people) for part in parts(images, "source")] == [("a", 1), ("b", 0)]


def test_what_lies_in_between_and_what_is_shrunk_stand_apart_from_sure_and_unclear() -> None:
    half = shown("a", "WU WU", read("CU WU", 0.5), between=Between(left=frozenset({Field.SPREAD})))
    head = replace(read("-- --"), shrunk=ReadTongue(Tongue.OUT))
    truth = PeopleTruth((PlayerTruth(tongue=Tongue.IN),))
    outcomes = compare_people(truth, (head,), RowKind.HEAD_HANDS)
    row = Row("b", Path("b.jpg"), RowKind.HEAD_HANDS, {}, 3)
    figures = Figures.of([half, Evaluated(row, truth, (head,), outcomes, None)])
    assert (figures.unclear_between, figures.unclear) == (Share(1, 1), Share(7, 6))
    assert figures.sure_wrong == Share(1, 0)
    assert figures.right[Measure.TONGUE_SHRUNK] == Share(1, 0)
