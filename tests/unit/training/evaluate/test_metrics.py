"""Figures of a set and of its parts, their JSON, and those of an earlier evaluation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Tongue
from bunnymoose_cv.rules.pose_fields import Field
from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.breakdowns import NOT_FOUND
from training.evaluate.comparison import Measure, compare_people
from training.evaluate.datasets import Row, RowKind
from training.evaluate.evaluated import Evaluated
from training.evaluate.metrics import Figures, ImageFiguresShape, ImageShape, earlier_figures, parts
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


def test_a_program_reads_the_tables_too() -> None:
    images = [shown("a", "WU WU", read("WU WU"), labels="light=dim"), shown("b", "WU --", labels="light=dim")]
    line = json.loads(ImageFiguresShape.of(Figures.of(images)).line())
    assert line["confusions"]["headgear"] == {"WU": {"WU": 2, NOT_FOUND: 1}, "--": {NOT_FOUND: 1}}
    (group,) = line["groups"]
    assert (group["group"], group["value"], group["people"]) == ("light", "dim", 2)
    assert (group["fields"]["pose"]["right"], group["fields"]["pose"]["n"], group["sure_wrong"]["count"]) == (1, 2, 0)
    (spread,) = line["reliability"]["spread"].pop("bins")
    assert spread == pytest.approx({"said": 1.0, "n": 2, "right": 2, "rate": 1.0, "low": 0.3423802, "high": 1.0})
    assert line["reliability"]["spread"] == {"error": 0.0}


def test_the_line_of_an_image() -> None:
    half = Between(left=frozenset({Field.SPREAD}))
    assert ImageShape.of(shown("é", "WU --", read("CU --", 0.7))).line(ascii_only=False) == (
        '{"id": "é", "truth": {"faces": 1, "poses": ["WU --"]}, "read": {"faces": 1, "poses": ["CU --"], '
        '"unclear": [["left.kind", "left.spread", "left.direction", "right.kind", "tongue"]]}, '
        '"right": {"players": true, "pose": false, "animal": true, "headgear": false, "kind": true, "spread": false, '
        '"direction": true, "tongue": true, "headgear_placed": true, "headgear_seen": true}}'
    )
    assert (
        ImageShape.of(shown("c", "WU WU", between=half))
        .line()
        .startswith(
            '{"id": "c", "truth": {"faces": 1, "poses": ["WU WU"], "between": [["left.spread"]]}, '
            '"read": {"faces": 0, "poses": [], "unclear": []}, "right": {"players": false, '
        )
    )


def test_the_line_of_all_figures() -> None:
    one = '{"n": 1, "right": 1, "rate": 1.0, "low": 0.2065493117918027, "high": 1.0}'
    two = '{"n": 2, "right": 2, "rate": 1.0, "low": 0.3423802239546494, "high": 1.0}'
    none = '{"n": 7, "count": 0, "rate": 0.0, "low": 0.0, "high": 0.3543304386758683}'
    fields = (
        f'"fields": {{"players": {one}, "pose": {one}, "animal": {one}, "headgear": {two}, "kind": {two}, '
        f'"spread": {two}, "direction": {two}, "tongue": {one}, "headgear_placed": {two}, "headgear_seen": {two}}}, '
        f'"shares": {{"sure_wrong": {none}, "unclear": {none}}}'
    )
    sides = ", ".join(
        f'"{field}": {{"error": 0.0, "bins": [{{"said": 1.0, {share[1:]}]}}'
        for field, share in (("kind", two), ("spread", two), ("direction", two), ("tongue", one))
    )
    images = [shown("a", "WU WU", read("WU WU"), labels="source=é;subject=x")]
    assert ImageFiguresShape.of(Figures.of(images), parts(images, "source")).line() == (
        f'{{{fields}, "people_left_out": 0, "confusions": {{"headgear": {{"WU": {{"WU": 2}}}}, '
        '"animal": {"moose": {"moose": 1}}, "tongue": {"in": {"in": 1}}}, "groups": [], '
        f'"reliability": {{{sides}}}, "sources": {{"\\u00e9": {{"people": 1, {fields}}}}}}}'
    )
    assert ImageFiguresShape.of(Figures.of(images)).line().endswith(f'"reliability": {{{sides}}}}}')


def test_figures_are_read_again_as_they_were_printed(tmp_path: Path) -> None:
    figures = Figures.of([shown("a", "WU WU", read("WU WU")), shown("b", "WU --", read("WU WU", 0.7))])
    (tmp_path / "printed").write_text("\n" + ImageFiguresShape.of(figures).line() + "\n")
    earlier = earlier_figures(tmp_path / "printed")
    assert {name: earlier[name.value] for name in figures.right} == figures.right
    assert (earlier["sure_wrong"], earlier["unclear"]) == (figures.sure_wrong, figures.unclear)


NOBODY = '{"fields": {"pose": {"n": 0, "right": 0}}, "shares": {}}'


@pytest.mark.parametrize("content", ["", "nonsense", "[]", '{"fields": {"pose": 3}}', '{"id": "a"}', NOBODY])
def test_a_file_without_earlier_figures(tmp_path: Path, content: str) -> None:
    (tmp_path / "printed").write_text(content)
    with pytest.raises(InputError, match="holds no earlier figures"):
        earlier_figures(tmp_path / "printed")
    with pytest.raises(InputError, match=r"There is no .*nothing"):
        earlier_figures(tmp_path / "nothing")
