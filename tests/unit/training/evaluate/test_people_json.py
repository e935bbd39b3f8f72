"""Lines of an evaluation of real people, as other programs read them."""

from __future__ import annotations

import pytest

from bunnymoose_cv.rules.pose_fields import Field
from tests.unit.training.evaluate.made_people import read, row
from training.evaluate.people import ReadPerson, figures_by_source
from training.evaluate.people_json import PeopleShape, PersonShape

MISSED = ReadPerson(row("n", "x", "0"), None)


@pytest.mark.parametrize(
    ("person", "line"),
    [
        (
            ReadPerson(row("?U", "--"), read("CU --", Field.SPREAD)),
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
def test_the_line_of_a_person(person: ReadPerson, line: str) -> None:
    assert PersonShape.of(person).line() == line


def test_the_line_of_all_people() -> None:
    none = '{"n": 1, "effective_n": 1.0, "count": 0, "rate": 0.0, "low": 0.0, "high": 0.7934506882081973}'
    one = '{"n": 1, "effective_n": 1.0, "count": 1, "rate": 1.0, "low": 0.2065493117918027, "high": 1.0}'
    shares = f'"player found": {none}, "tongue asked": {one}'
    assert PeopleShape.of(figures_by_source([MISSED])).line() == (
        f'{{"people": {{{shares}}}, "persons": 1, "sources": {{"here": {{"persons": 1, {shares}}}}}}}'
    )
