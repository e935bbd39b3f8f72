"""Real people: categories, counts, JSON, and the command on rendered players with known truth."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from bunnymoose_cv.rules.pose import Side, Tongue
from tests.unit.training.evaluate.made_images import reading as read
from training.evaluate.people import (
    Category,
    PeopleFigures,
    PeopleShape,
    PersonRow,
    PersonShape,
    ReadPerson,
    figures_by_source,
    lists_people,
    read_people,
)
from training.evaluate.side_labels import Held, SideLabel

ROOT = Path(__file__).parents[4]
PEOPLE = ROOT.parent / "shared" / "people" / "people.csv"
COLUMNS = "file,person,source,left,right,left_sure,right_sure,tongue\n"


def row(left: str, right: str, left_sure: str = "1") -> PersonRow:
    sides = {Side.LEFT: SideLabel.parse(left, left_sure), Side.RIGHT: SideLabel.parse(right, "1")}
    return PersonRow("a.jpg", Path("a.jpg"), "p1", "here", sides, Tongue.IN)


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
def test_category_follows_from_the_labels(labelled: PersonRow, category: Category) -> None:
    assert labelled.category is category


def test_figures_count_sides_and_questions() -> None:
    people = [
        ReadPerson(row("?U", "--"), read("CU --", "left.spread")),
        ReadPerson(row("SS", "n"), read("SF WU")),
        ReadPerson(row("--", "--"), None),
        ReadPerson(row("?S", "x"), read("WU --", "left.spread")),
    ]
    expected = {
        "player found": (4, 3),
        "headgear asked: headgear": (2, 0),
        "headgear asked: empty": (1, 1),
        "any question: headgear": (2, 0),
        "any question: empty": (1, 1),
        "tongue asked": (4, 1),
        "kind right: antlers": (1, 1),
        "kind right: ears": (2, 1),
        "kind right: other hands": (1, 0),
        "kind right: empty sides": (3, 1),
        "surely wrong: headgear": (3, 2),
        "surely wrong of the sure: headgear": (3, 2),
        "surely wrong: others": (4, 1),
        "surely wrong of the sure: others": (2, 1),
    }
    shares = PeopleFigures.of(people).shares
    assert {name: (share.total, share.count) for name, share in shares.items()} == expected


def test_wrong_field_that_is_asked_about_is_not_surely_wrong() -> None:
    shares = PeopleFigures.of([ReadPerson(row("WU", "--"), read("CU --", "left.spread"))]).shares
    assert (shares["headgear asked: headgear"].count, shares["surely wrong: headgear"].count) == (1, 0)
    assert "surely wrong of the sure: headgear" not in shares


def test_problem_names_the_line_of_the_file(tmp_path: Path) -> None:
    listed = tmp_path / "people.csv"
    listed.write_text(f'{COLUMNS}"a\nb.jpg",p1,ours,SS,TF,1,1,in\nc.jpg,p2,ours,WS,--,1,1,in\n', "utf-8")
    people = read_people(listed)
    assert [person_row.name for person_row in people.rows] == ["a\nb.jpg"]
    assert [str(problem).split(" of ")[0] for problem in people.problems] == ["Line 4"]


def test_command_evaluates_a_list_of_people(evaluate: Callable[..., CompletedProcess[str]], tmp_path: Path) -> None:
    player = ROOT / "fixtures" / "players" / "0001.jpg"
    listed = tmp_path / "people.csv"
    listed.write_text(f"{COLUMNS}{player},p1,ours,SS,TF,1,1,in\ngone.jpg,p2,ours,--,--,1,1,in\n", "utf-8")
    result = evaluate(listed, "--json", "--out", tmp_path / "pages")
    assert result.returncode == 2
    assert "gone.jpg" in result.stderr
    person, figures = map(json.loads, result.stdout.splitlines())
    assert (person["person"], person["truth"]) == ("p1", {"left": "SS", "right": "TF"})
    assert (person["read"]["left"], person["read"]["right"]) == ("SS", "TF")
    assert person["held"] == {"left": "ear", "right": "ear"}
    ears = "kind right: ears"
    assert figures["people"][ears]["count"] == figures["sources"]["ours"][ears]["count"] == 2
    assert f"| {ears} | 2 | 2 | 100.0% |" in (tmp_path / "pages" / "figures.md").read_text("utf-8")


def test_manifest_is_not_a_list_of_people() -> None:
    assert not lists_people(ROOT / "fixtures" / "manifest.csv")


def test_shapes_file_overrules_the_list(tmp_path: Path) -> None:
    listed = tmp_path / "people.csv"
    listed.write_text(f"{COLUMNS}a.jpg,p1,ours,n,--,1,1,in\nb.jpg,p2,ours,SS,--,1,1,in\n", "utf-8")
    shapes = "file,side,shape,place,direction,sure,again\na.jpg,left,5w,n,u,1,ok\na.jpg,right,6,n,u,1,ok\n"
    (tmp_path / "shapes.csv").write_text(shapes, "utf-8")
    people = read_people(listed)
    assert [person_row.category for person_row in people.rows] == [Category.HEADGEAR, Category.DOUBTFUL]
    assert people.rows[0].sides[Side.LEFT].text == "n"
    assert ["“6” is not a shape" in str(problem) for problem in people.problems] == [True]


@pytest.mark.skipif(not PEOPLE.is_file(), reason="needs ../shared/people beside the checkout")
def test_real_people_have_the_expected_truth_counts() -> None:
    listed = read_people(PEOPLE)
    assert not listed.problems
    categories = Counter(person.category for person in listed.rows)
    assert [categories[category] for category in Category] == [505, 128, 346, 331]
    holding = [(label.held, row.person) for row in listed.rows for label in row.sides.values() if label.held]
    sides, people = Counter(held for held, _ in holding), Counter(held for held, _ in set(holding))
    assert [sides[held] for held in Held] == [120, 104, 456, 1321]
    assert [people[held] for held in Held] == [21, 18, 50, 72]
    assert len({person for held, person in holding if held in {Held.ANTLER, Held.EAR}}) == 29


MISSED = ReadPerson(row("n", "x", "0"), None)


@pytest.mark.parametrize(
    ("person", "line"),
    [
        (
            ReadPerson(row("?U", "--"), read("CU --", "left.spread")),
            (
                '{"id": "a.jpg", "person": "p1", "source": "here", "category": "headgear", '
                '"truth": {"left": "?U", "right": "--"}, "held": {"left": "antler", "right": "empty"}, '
                '"read": {"left": "CU", "right": "--", "tongue": "in"}, '
                '"question": {"headgear": false, "tongue": false}}'
            ),
        ),
        (
            MISSED,
            (
                '{"id": "a.jpg", "person": "p1", "source": "here", "category": "doubtful", '
                '"truth": {"left": "n", "right": "x"}, "held": {"left": null, "right": null}, '
                '"read": null, "question": {"headgear": true, "tongue": true}}'
            ),
        ),
    ],
)
def test_json_line_of_a_person(person: ReadPerson, line: str) -> None:
    assert PersonShape.of(person).line() == line


def test_json_line_of_all_people() -> None:
    none = '{"n": 1, "effective_n": 1.0, "count": 0, "rate": 0.0, "low": 0.0, "high": 0.7934506882081973}'
    one = '{"n": 1, "effective_n": 1.0, "count": 1, "rate": 1.0, "low": 0.2065493117918027, "high": 1.0}'
    shares = f'"player found": {none}, "tongue asked": {one}'
    assert PeopleShape.of(figures_by_source([MISSED])).line() == (
        f'{{"people": {{{shares}}}, "persons": 1, "sources": {{"here": {{"persons": 1, {shares}}}}}}}'
    )
