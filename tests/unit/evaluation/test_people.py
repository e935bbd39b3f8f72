"""Real people: labels, categories, counting, and the command on rendered players whose truth is known."""

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bunnymoose_cv.cli import app
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.evaluation.headgear_fields import HeadgearFields
from bunnymoose_cv.evaluation.people import (
    Category,
    PeopleFigures,
    PersonRow,
    ReadPerson,
    SideLabel,
    lists_people,
    read_people,
)
from bunnymoose_cv.rules.pose import Direction, Form, Place, Spread
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from tests.unit.evaluation.made_people import read, row

ROOT = Path(__file__).parents[3]
PEOPLE = ROOT.parent / "shared" / "people" / "people.csv"
COLUMNS = "file,person,source,left,right,left_sure,right_sure,tongue\n"


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("WU", HeadgearFields(Kind.ANTLER, spread=Spread.WIDE, direction=Direction.UP)),
        ("?D", HeadgearFields(Kind.ANTLER, direction=Direction.DOWN)),
        ("TF", HeadgearFields(Kind.EAR, form=Form.FLOPPY, place=Place.TOP)),
        ("?S", HeadgearFields(Kind.EAR, form=Form.STRAIGHT)),
        ("--", HeadgearFields(Kind.NEITHER)),
        ("n", HeadgearFields(Kind.NEITHER)),
        ("x", HeadgearFields()),
    ],
)
def test_a_label_tells_its_fields(text: str, fields: HeadgearFields) -> None:
    assert SideLabel.parse(text, "1").fields == fields


@pytest.mark.parametrize("text", ["", "W", "WS", "TU", "WUU"])
def test_another_text_is_no_label(text: str) -> None:
    with pytest.raises(InputError, match="is no label"):
        SideLabel.parse(text, "1")


@pytest.mark.parametrize(
    ("labelled", "category"),
    [
        (row("WU", "--", left_sure="0"), Category.DOUBTFUL),
        (row("open", "WU"), Category.DOUBTFUL),
        (row("n", "?F"), Category.HEADGEAR),
        (row("n", "--"), Category.OTHER_HAND),
        (row("--", "--"), Category.EMPTY),
    ],
)
def test_the_labels_give_the_category(labelled: PersonRow, category: Category) -> None:
    assert labelled.category is category


def test_figures_count_sides_and_questions() -> None:
    people = [
        ReadPerson(row("?U", "--"), read("CU --", Field.SPREAD)),
        ReadPerson(row("SS", "n"), read("SF WU")),
        ReadPerson(row("--", "--"), None),
    ]
    expected = {
        "kind right": (6, 3),
        "whole headgear right: antlers": (1, 1),
        "told as headgear: ears": (1, 1),
        "whole headgear right: ears": (1, 0),
        "headgear invented": (4, 1),
        "confident and wrong": (3, 2),
        "confident and wrong: sides with headgear": (1, 1),
        "headgear asked: headgear": (2, 1),
        "headgear asked: empty": (1, 1),
        "tongue asked": (3, 1),
    }
    shares = PeopleFigures.of(people).shares
    assert {name: (shares[name].total, shares[name].count) for name in expected} == expected


def test_a_problem_names_the_line_of_the_file(tmp_path: Path) -> None:
    listed = tmp_path / "people.csv"
    listed.write_text(f'{COLUMNS}"a\nb.jpg",p1,ours,SS,TF,1,1,in\nc.jpg,p2,ours,WS,--,1,1,in\n', "utf-8")
    people = read_people(listed)
    assert [each.name for each in people.rows] == ["a\nb.jpg"]
    assert [str(problem).split(" of ")[0] for problem in people.problems] == ["Line 4"]


def test_the_command_reads_the_list(tmp_path: Path) -> None:
    player = ROOT / "fixtures" / "players" / "0001.jpg"
    listed = tmp_path / "people.csv"
    listed.write_text(f"{COLUMNS}{player},p1,ours,SS,TF,1,1,in\ngone.jpg,p2,ours,--,--,1,1,in\n", "utf-8")
    result = CliRunner().invoke(app, ["evaluate", str(listed), "--json", "--out", str(tmp_path / "pages")])
    assert result.exit_code == 2
    assert "gone.jpg" in result.stderr
    person, figures = map(json.loads, result.stdout.splitlines())
    assert (person["person"], person["truth"]) == ("p1", {"left": "SS", "right": "TF"})
    assert (person["read"]["left"], person["read"]["right"]) == ("SS", "TF")
    assert figures["people"]["kind right"]["count"] == figures["sources"]["ours"]["kind right"]["count"] == 2
    assert "| kind right | 2 | 2 | 100.0% |" in (tmp_path / "pages" / "figures.md").read_text("utf-8")


def test_a_manifest_lists_no_people() -> None:
    assert not lists_people(ROOT / "fixtures" / "manifest.csv")


@pytest.mark.skipif(not PEOPLE.is_file(), reason="needs ../shared/people beside the checkout")
def test_the_real_people_have_their_categories() -> None:
    listed = read_people(PEOPLE)
    assert not listed.problems
    counted = Counter(person.category for person in listed.rows)
    assert [counted[category] for category in Category] == [171, 51, 606, 330]
