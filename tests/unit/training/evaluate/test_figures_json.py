"""Lines of an evaluation of images, as other programs read them."""

from __future__ import annotations

import json

import pytest

from bunnymoose_cv.rules.pose_fields import Field
from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.confusion import NOT_FOUND
from training.evaluate.figures_json import ImageFiguresShape, ImageShape
from training.evaluate.metrics import Figures, parts
from training.evaluate.truth import Between


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
