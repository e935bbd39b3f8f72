"""The coach: silent where the image shows what is asked, and otherwise one hint that puts the first mistake right."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import ALL_POSES, Pose, Side, parse_headgear
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.session.practice.coach import Change, Hint, differing, fields_of, headgear_change, hint, hint_words
from bunnymoose_cv.vision.headgear.measures import HandMeasures

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.vision.readings import PlayerReading

FIXTURES = Path(__file__).parents[4] / "fixtures"
TRUTH = {
    row["id"].removeprefix("fx"): Pose.parse(dict(label.split("=") for label in row["labels"].split(";"))["poses"])
    for row in csv.DictReader((FIXTURES / "manifest.csv").read_text("utf-8").splitlines())
    if row["kind"] == "player"
}
SHOWN = ("0001", "0003", "0009", "0011", "0014", "0019", "0026", "0028", "0033", "0040", "0045", "0048", "0059", "0063")
"""Poses of every headgear, with the tongue out and in, antlers and ears mixed."""


@pytest.mark.parametrize("name", SHOWN)
def test_what_the_image_shows_needs_no_hint(player: Callable[[str], PlayerReading], name: str) -> None:
    assert hint(TRUTH[name], player(name)) is None
    assert not differing(TRUTH[name], player(name))


@pytest.mark.parametrize(
    ("name", "asked", "change", "side", "field"),
    [
        ("0009", "CU WU", Change.CLOSE, Side.LEFT, Field.SPREAD),
        ("0009", "WU CU", Change.CLOSE, Side.RIGHT, Field.SPREAD),
        ("0009", "WD WU", Change.POINT_DOWN, Side.LEFT, Field.DIRECTION),
        ("0003", "CD WU", Change.POINT_UP, Side.RIGHT, Field.DIRECTION),
        ("0003", "WD WD", Change.SPREAD, Side.LEFT, Field.SPREAD),
        ("0009", "WU TS", Change.TUCK_THUMB, Side.RIGHT, Field.KIND),
        ("0028", "WU TS", Change.THUMB_OUT, Side.LEFT, Field.KIND),
        ("0028", "TF TS", Change.CURL, Side.LEFT, Field.FORM),
        ("0028", "TS SS", Change.HAND_TO_SIDE, Side.RIGHT, Field.PLACE),
        ("0019", "TF TS", Change.STRAIGHTEN, Side.RIGHT, Field.FORM),
        ("0045", "TS SS", Change.HAND_TO_TOP, Side.LEFT, Field.PLACE),
        ("0009", "WU WU t", Change.TONGUE_OUT, None, Field.TONGUE),
        ("0026", "WD CD", Change.TONGUE_IN, None, Field.TONGUE),
        ("0027", "SF WU", Change.HAND_TO_TEMPLE, Side.RIGHT, Field.KIND),  # one hand hangs down
        ("0027", "SF TS", Change.HAND_TO_TOP, Side.RIGHT, Field.KIND),
        ("0027", "SF SF", Change.HAND_TO_SIDE, Side.RIGHT, Field.KIND),
        ("0009", "-- WU", Change.HAND_AWAY, Side.LEFT, Field.KIND),
        ("0038", "-- SS", Change.TWO_FINGERS, Side.RIGHT, Field.KIND),  # a fist at the temple
    ],
)
def test_each_single_mistake_has_its_hint(  # noqa: PLR0913, PLR0917 - the row of a table
    player: Callable[[str], PlayerReading], name: str, asked: str, change: Change, side: Side | None, field: Field
) -> None:
    assert hint(Pose.parse(asked), player(name)) == Hint(change, side)
    assert differing(Pose.parse(asked), player(name)) == {field}


def test_where_nobody_is_seen_people_are_called() -> None:
    assert hint(Pose.parse("WU WU"), None) == Hint(Change.COME_INTO_IMAGE)


@pytest.mark.parametrize(
    ("asked", "change"),
    [("CD TS t", Change.POINT_DOWN), ("CU TS t", Change.CLOSE), ("WU TS t", Change.TUCK_THUMB)],
)
def test_the_coarse_comes_before_the_fine(player: Callable[[str], PlayerReading], asked: str, change: Change) -> None:
    given = hint(Pose.parse(asked), player("0009"))
    assert given is not None
    assert given.change is change


@pytest.mark.parametrize("name", ["0004", "0007", "0009", "0012", "0020", "0028", "0039", "0050"])
def test_there_is_a_hint_exactly_where_something_differs(player: Callable[[str], PlayerReading], name: str) -> None:
    for asked in ALL_POSES:
        assert (hint(asked, player(name)) is None) == (not differing(asked, player(name))), asked


TWO, FOUR = (1, 2), (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("asked", "out", "thumb", "gap", "change"),
    [
        ("CU", FOUR, 1.2, 0.2, Change.SHOW_CLEARLY),  # the thumb 5 cm off the temple counts
        ("CU", FOUR, 1.2, 1.5, Change.THUMB_TO_TEMPLE),
        ("SS", TWO, 1.2, 0.2, Change.SHOW_CLEARLY),  # a careless thumb counts
        ("SS", TWO, 0.8, 0.2, Change.SHOW_CLEARLY),
        ("SS", FOUR, 1.2, 0.2, Change.TUCK_THUMB),
        ("SS", TWO, 0.2, 1.5, Change.HAND_TO_SIDE),
    ],
)
def test_the_coach_does_not_scold_what_counts(  # noqa: PLR0913, PLR0917 - the row of a table
    player: Callable[[str], PlayerReading], asked: str, out: tuple[int, ...], thumb: float, gap: float, change: Change
) -> None:
    measured = HandMeasures(out, thumb, 2.0, 1.0, 0.0, 0.0, temple=0.8, height=0.0, gap=gap)
    fist = player("0038").headgear[Side.RIGHT]
    assert headgear_change(parse_headgear(asked), fist, measured) is change


def test_an_unclear_kind_does_not_agree(player: Callable[[str], PlayerReading]) -> None:
    """No kind of the fixtures that are looked at here is unclear by itself."""
    plain = player("0009")
    left = replace(plain.headgear[Side.LEFT], unclear=(Field.KIND,))
    doubtful = replace(plain, headgear={**plain.headgear, Side.LEFT: left})
    assert differing(doubtful.pose, plain) == set()
    assert differing(doubtful.pose, doubtful) == {Field.KIND}


def test_an_unclear_tongue_does_not_agree(player: Callable[[str], PlayerReading]) -> None:
    """No tongue of the fixtures is unclear by itself."""
    plain = player("0009")
    doubtful = replace(plain, tongue=replace(plain.tongue, unclear=True))
    assert differing(doubtful.pose, plain) == set()
    assert differing(doubtful.pose, doubtful) == {Field.TONGUE}


def test_a_pose_has_the_fields_of_its_headgears() -> None:
    both = {Field.KIND, Field.TONGUE}
    assert fields_of(Pose.parse("-- --")) == both
    assert fields_of(Pose.parse("WU --")) == both | {Field.DIRECTION, Field.SPREAD}
    assert fields_of(Pose.parse("WU TS")) == set(Field)


def test_every_change_is_said_in_its_own_words() -> None:
    said = {hint_words(Hint(change, Side.LEFT), Texts()) for change in Change}
    assert len(said) == len(Change)
    assert hint_words(Hint(Change.SPREAD, Side.RIGHT), Texts()) == "On your right: spread your fingers."
