"""Pages of an evaluation, added up from invented players."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.cli.evaluation_lines import earlier_figures, figures_line
from bunnymoose_cv.cli.evaluation_pages import Report
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.evaluation.comparison import Measure, Outcome, compare_people
from bunnymoose_cv.evaluation.confusion import NOT_FOUND, confusions
from bunnymoose_cv.evaluation.csv_list import ManifestError
from bunnymoose_cv.evaluation.datasets import Row, RowKind
from bunnymoose_cv.evaluation.evaluated import Evaluated
from bunnymoose_cv.evaluation.groups import groups
from bunnymoose_cv.evaluation.headgear_fields import HeadgearFields
from bunnymoose_cv.evaluation.metrics import Figures, parts
from bunnymoose_cv.evaluation.mistakes import mistakes
from bunnymoose_cv.evaluation.reading import ReadHeadgear, ReadPlayer, ReadTongue
from bunnymoose_cv.evaluation.reliability import BINS, reliability
from bunnymoose_cv.evaluation.shares import Share
from bunnymoose_cv.evaluation.truth import Between, PeopleTruth, PlayerTruth
from bunnymoose_cv.rules.pose import Pose, Side, Tongue
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS, Field
from bunnymoose_cv.vision.geometry import Box


def read(pose: str, confidence: float = 1.0, limit: float = 0.9, height: float = 100) -> ReadPlayer:
    """A reading that is equally sure of every field; below the limit all of them are unclear."""
    whole = Pose.parse(pose)
    fields = [HeadgearFields.of(whole.headgear(side)) for side in (Side.LEFT, Side.RIGHT)]
    sides = [
        ReadHeadgear(
            own,
            frozenset(field for field in HEADGEAR_FIELDS if confidence < limit and own.value(field) is not None),
            {field: confidence for field in HEADGEAR_FIELDS if own.value(field) is not None},
        )
        for own in fields
    ]
    tongue = ReadTongue(whole.tongue, confidence < limit, confidence)
    return ReadPlayer(whole, sides[0], sides[1], tongue, Box(0, 0, 80, height))


def shown(
    name: str, poses: str, *found: ReadPlayer, labels: str = "", between: Between | None = None, **boxes: float
) -> Evaluated:
    """An image of players; `boxes` are their faces' heights by any name."""
    faces: list[Box | None] = [Box(0, 0, 80, height) for height in boxes.values()]
    faces = faces or [None] * len(poses.split("/"))
    players = [
        replace(PlayerTruth.of(Pose.parse(pose)), between=between or Between(), face=face)
        for pose, face in zip(poses.split("/"), faces, strict=True)
    ]
    truth = PeopleTruth(tuple(players))
    row = Row(name, Path(f"{name}.jpg"), RowKind.PLAYER, dict(p.split("=") for p in labels.split(";") if p), 2)
    return Evaluated(row, truth, found, compare_people(truth, found, RowKind.PLAYER), None)


def test_what_was_read_as_what() -> None:
    images = [
        shown("a", "WU TF t", read("WU SF t")),
        shown("b", "WU --"),
        shown("c", "WU WU", read("CU WU"), between=Between(left=frozenset({Field.SPREAD}))),
    ]
    headgear, animal, tongue = confusions(images)
    assert dict(headgear.counts) == {("WU", "WU"): 2, ("TF", "SF"): 1, ("WU", NOT_FOUND): 1, ("--", NOT_FOUND): 1}
    assert dict(animal.counts) == {("bush", "bush"): 1, ("bush", NOT_FOUND): 1}
    assert dict(tongue.counts) == {("out", "out"): 1, ("in", "in"): 1, ("in", NOT_FOUND): 1}
    assert headgear.row("WU") == (2, 0, 0, 0, 0, 0, 0, 0, 0, 1)


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


def test_people_of_a_part_are_those_who_are_named() -> None:
    labels = ("source=a;subject=x", "source=a;subject=x", "source=a", "source=b")
    images = [shown(str(number), "WU WU", labels=own) for number, own in enumerate(labels)]
    assert [(part.name, part.people) for part in parts(images, "source")] == [("a", 1), ("b", 0)]


def test_a_label_for_another_number_of_people_is_refused() -> None:
    told = shown("c", "TS TS/WU WU", read("TS TS"), read("CU WU"), labels="age=12/70/30")
    with pytest.raises(ManifestError, match=r"Line 2 .*\(c\) has age= for 3 seats and 2 people: write one value, or"):
        groups([told])


def test_reliability_puts_readings_that_are_equally_sure_together() -> None:
    images = [
        shown("a", "WU WU", read("WU WU", 0.97)),
        shown("b", "WU WU", read("CU WU", 0.99)),
        shown("c", "WU WU", read("WU WU", 0.51)),
        shown("d", "WU WU"),
    ]
    fields = {own.field: own for own in reliability(images)}
    assert set(fields) == {"kind", "spread", "direction", "tongue"}
    least, most = fields["spread"].bins
    assert (least.right, most.right) == (Share(2, 2), Share(4, 3))
    assert [least.confidence, most.confidence] == pytest.approx([0.51, 0.98])
    assert fields["spread"].error == pytest.approx((2 * 0.49 + 4 * 0.23) / 6)


@pytest.mark.parametrize(
    ("confidence", "others", "together"), [(0.34, 0.5, True), (0.949, 0.95, False), (1.0, 0.96, True)]
)
def test_bins_part_the_sureness_from_even_to_certain(confidence: float, others: float, together: bool) -> None:  # noqa: FBT001 - a table
    images = [shown(str(sure), "WU WU", read("WU WU", sure)) for sure in (confidence, others)]
    assert BINS == 10
    assert (len(reliability(images)[0].bins) == 1) is together


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


def test_the_pages_of_a_set(tmp_path: Path) -> None:
    images = [shown("fine", "WU WU", read("WU WU")), shown("worse", "WU WU", read("CU WU t", 0.99))]

    def draw(image: Evaluated) -> Image:
        assert image.row.name == "worse"
        return np.zeros((600, 1200, 3), np.uint8)

    Report("a set", images, {"pose": Share(10, 4)}, draw).write(tmp_path / "pages")
    assert {path.name for path in (tmp_path / "pages").iterdir()} == {
        "figures.md",
        "reliability.svg",
        "mistakes.md",
        "worse.jpg",
    }
    figures = (tmp_path / "pages/figures.md").read_text("utf-8").splitlines()
    assert figures[0] == "# a set"
    assert "| `pose` | 1 | 2 | 50.0% | 9.5% – 90.5% | 4 of 10, 40.0% |" in figures
    assert "| `tongue` | 1 | 2 | 50.0% | 9.5% – 90.5% | – |" in figures
    assert "| WU | 3 | · | 1 | · | · | · | · | · | · | · |" in figures
    wrong = (tmp_path / "pages/mistakes.md").read_text("utf-8")
    assert "- shown: faces 1, poses WU WU\n- read: faces 1, poses CU WU t, unclear –\n" in wrong
    assert "- wrong: spread (sure, said 99%), tongue (sure, said 99%)\n\n![worse](worse.jpg)" in wrong
    assert ET.parse(tmp_path / "pages/reliability.svg").getroot().tag.endswith("svg")  # noqa: S314 - our own file


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


def test_figures_are_read_again_as_they_were_printed(tmp_path: Path) -> None:
    figures = Figures.of([shown("a", "WU WU", read("WU WU")), shown("b", "WU --", read("WU WU", 0.7))])
    (tmp_path / "printed").write_text("\n" + json.dumps(figures_line(figures)) + "\n")
    earlier = earlier_figures(tmp_path / "printed")
    assert {name: earlier[name.value] for name in figures.right} == figures.right
    assert (earlier["sure_wrong"], earlier["unclear"]) == (figures.sure_wrong, figures.unclear)


def test_a_program_reads_the_tables_too() -> None:
    images = [shown("a", "WU WU", read("WU WU"), labels="light=dim"), shown("b", "WU --", labels="light=dim")]
    line = figures_line(Figures.of(images))
    assert line["confusions"]["headgear"] == {"WU": {"WU": 2, NOT_FOUND: 1}, "--": {NOT_FOUND: 1}}
    (group,) = line["groups"]
    assert (group["group"], group["value"], group["people"]) == ("light", "dim", 2)
    assert (group["fields"]["pose"]["right"], group["fields"]["pose"]["n"], group["sure_wrong"]["count"]) == (1, 2, 0)
    (spread,) = line["reliability"]["spread"].pop("bins")
    assert spread == pytest.approx({"said": 1.0, "n": 2, "right": 2, "rate": 1.0, "low": 0.3423802, "high": 1.0})
    assert line["reliability"]["spread"] == {"error": 0.0}
    assert json.loads(json.dumps(line)) == line


@pytest.mark.parametrize("content", ["", "nonsense", "[]", '{"fields": {"pose": 3}}', '{"id": "a"}'])
def test_a_file_without_earlier_figures(tmp_path: Path, content: str) -> None:
    (tmp_path / "printed").write_text(content)
    with pytest.raises(InputError, match="holds no earlier figures"):
        earlier_figures(tmp_path / "printed")
    with pytest.raises(InputError, match=r"There is no .*nothing"):
        earlier_figures(tmp_path / "nothing")
