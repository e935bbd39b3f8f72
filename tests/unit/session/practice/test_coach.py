"""The coach's hints, and a lesson that continues when a pose has been held."""

import csv
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import ALL_POSES, Pose, Side, Tongue, parse_headgear
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.session.practice.coach import Change, Hint, differing, fields_of, headgear_change, hint, hint_words
from bunnymoose_cv.session.practice.lesson import HINT_S, HOLD_S, SETTLING_S, STEADY_S, Lesson, LessonState, asked_poses
from bunnymoose_cv.vision.headgear.measures import HandMeasures
from bunnymoose_cv.vision.readings import PlayerReading

FIXTURES = Path(__file__).parents[4] / "fixtures"
TRUTH = {
    row["id"].removeprefix("fx"): Pose.parse(dict(label.split("=") for label in row["labels"].split(";"))["poses"])
    for row in csv.DictReader((FIXTURES / "manifest.csv").read_text("utf-8").splitlines())
    if row["kind"] == "player"
}
SHOWN = ("0003", "0009", "0019", "0026", "0028", "0033", "0044", "0045", "0063")
"""Poses of every headgear, with the tongue out and in, antlers and ears mixed."""


@pytest.mark.parametrize("name", SHOWN)
def test_a_pose_that_agrees_needs_no_hint(player: Callable[[str], PlayerReading], name: str) -> None:
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
        ("0038", "SS --", Change.TWO_FINGERS, Side.LEFT, Field.KIND),  # a fist at the temple
    ],
)
def test_each_single_mistake_has_its_hint(  # noqa: PLR0913, PLR0917 - the row of a table
    player: Callable[[str], PlayerReading], name: str, asked: str, change: Change, side: Side | None, field: Field
) -> None:
    assert hint(Pose.parse(asked), player(name)) == Hint(change, side)
    assert differing(Pose.parse(asked), player(name)) == {field}


def test_an_empty_image_calls_the_player() -> None:
    assert hint(Pose.parse("WU WU"), None) == Hint(Change.COME_INTO_IMAGE)


@pytest.mark.parametrize(
    ("asked", "change"),
    [("CD TS t", Change.POINT_DOWN), ("CU TS t", Change.CLOSE), ("WU TS t", Change.TUCK_THUMB)],
)
def test_hints_go_from_coarse_to_fine(player: Callable[[str], PlayerReading], asked: str, change: Change) -> None:
    given = hint(Pose.parse(asked), player("0009"))
    assert given is not None
    assert given.change is change


@pytest.mark.parametrize("name", ["0003", "0019", "0027", "0028", "0038", "0045"])
def test_there_is_a_hint_if_and_only_if_something_differs(player: Callable[[str], PlayerReading], name: str) -> None:
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
def test_the_coach_accepts_poses_that_count(  # noqa: PLR0913, PLR0917 - the row of a table
    player: Callable[[str], PlayerReading], asked: str, out: tuple[int, ...], thumb: float, gap: float, change: Change
) -> None:
    measured = HandMeasures(out, thumb, 2.0, 1.0, 0.0, 0.0, temple=0.8, height=0.0, gap=gap)
    fist = player("0038").headgear[Side.RIGHT]
    assert headgear_change(parse_headgear(asked), fist, measured) is change


def test_an_unclear_kind_or_tongue_does_not_agree(player: Callable[[str], PlayerReading]) -> None:
    plain = player("0009")
    left = replace(plain.headgear[Side.LEFT], unclear=(Field.KIND,))
    kind = replace(plain, headgear={**plain.headgear, Side.LEFT: left})
    tongue = replace(plain, tongue=replace(plain.tongue, unclear=True))
    assert differing(plain.pose, plain) == set()
    assert [differing(plain.pose, reading) for reading in (kind, tongue)] == [{Field.KIND}, {Field.TONGUE}]


def test_a_pose_has_the_fields_of_its_headgears() -> None:
    both = {Field.KIND, Field.TONGUE}
    assert fields_of(Pose.parse("-- --")) == both
    assert fields_of(Pose.parse("WU --")) == both | {Field.DIRECTION, Field.SPREAD}
    assert fields_of(Pose.parse("WU TS")) == set(Field)


def test_every_change_has_its_own_words() -> None:
    said = {hint_words(Hint(change, Side.LEFT), Texts()) for change in Change}
    assert len(said) == len(Change)
    assert hint_words(Hint(Change.SPREAD, Side.RIGHT), Texts()) == "On your right: spread your fingers."


class Asks(Random):
    """Random numbers by which certain poses are asked first."""

    def __init__(self, *poses: str) -> None:
        super().__init__(0)
        self._first = [Pose.parse(pose) for pose in poses]

    def shuffle(self, x: list[Pose]) -> None:  # type: ignore[override]
        x.sort(key=lambda pose: self._first.index(pose) if pose in self._first else len(self._first))


def looks(lesson: Lesson, seen: PlayerReading | None, times_s: Iterable[float]) -> LessonState:
    """Show the same reading at several times, and return the state after the last."""
    return [lesson.look(seen, time_s) for time_s in times_s][-1]


def tally(state: LessonState, field: Field) -> tuple[int, int]:
    return next((tally_.agreed, tally_.asked) for tally_ in state.tallies if tally_.field is field)


def test_all_pairs_of_headgears_are_asked_before_one_is_repeated() -> None:
    poses = list(islice(asked_poses(Random(5)), 256))
    assert len(set(poses[:128])) == len(set(poses[128:])) == 128
    assert all(pose.left is not None and pose.right is not None for pose in poses)
    assert {pose.tongue for pose in poses} == set(Tongue)
    assert poses == list(islice(asked_poses(Random(5)), 256))
    assert poses != list(islice(asked_poses(Random(6)), 256))


def test_the_next_pose_follows_when_the_asked_one_was_held(player: Callable[[str], PlayerReading]) -> None:
    lesson = Lesson(Asks("WU WU", "TS TS"))
    assert lesson.look(player("0009"), 3.0).held == 0
    assert lesson.look(player("0009"), 3.0 + HOLD_S / 2).held == pytest.approx(0.5)
    assert lesson.look(player("0009"), 3.0 + HOLD_S).held == 1
    after = lesson.look(player("0009"), 3.1 + HOLD_S)
    assert (after.number, str(after.asked), after.done) == (2, "TS TS", 1)
    assert (tally(after, Field.KIND), tally(after, Field.PLACE)) == ((1, 1), (0, 0))


def test_a_pose_shown_for_a_moment_is_not_held(player: Callable[[str], PlayerReading]) -> None:
    lesson = Lesson(Asks("WU WU"))
    lesson.look(player("0009"), 0.0)
    lesson.look(player("0028"), HOLD_S / 2)
    assert lesson.look(player("0009"), HOLD_S).held == 0


def test_a_field_that_was_steadily_read_otherwise_did_not_agree(player: Callable[[str], PlayerReading]) -> None:
    lesson = Lesson(Asks("CU WU", "WU WU"))
    state = looks(lesson, player("0009"), (0.0, SETTLING_S, SETTLING_S + STEADY_S))
    assert state.hint is not None
    lesson.look(player("0013"), 8.0)  # WU CU, which differs only for a moment
    state = lesson.skip()
    assert (tally(state, Field.SPREAD), tally(state, Field.DIRECTION)) == ((0, 1), (1, 1))
    assert (state.number, state.done) == (2, 0)


def test_the_time_to_read_the_instruction_does_not_count(
    player: Callable[[str], PlayerReading],
) -> None:
    lesson = Lesson(Asks("TS TS", "WU WU"))
    looks(lesson, player("0009"), (0.0, 0.9 * SETTLING_S))
    looks(lesson, player("0028"), (SETTLING_S, SETTLING_S + HOLD_S))
    after = lesson.look(player("0028"), SETTLING_S + HOLD_S + 0.1)
    assert after.done == 1
    assert all(result.agreed == result.asked for result in after.tallies)


def test_an_empty_image_disagrees_with_no_field() -> None:
    lesson = Lesson(Asks("WU WU"))
    looks(lesson, None, (0.0, SETTLING_S, 4 * SETTLING_S))
    assert all(result.agreed == result.asked for result in lesson.skip().tallies)


def test_a_hint_stays_until_another_has_been_right_for_a_while(
    player: Callable[[str], PlayerReading],
) -> None:
    lesson = Lesson(Asks("CU CU"))
    assert lesson.look(player("0009"), 0.0).hint == Hint(Change.CLOSE, Side.LEFT)
    assert lesson.look(player("0028"), 0.1).hint == Hint(Change.CLOSE, Side.LEFT)  # ears were seen for a moment
    assert lesson.look(player("0009"), 0.2).hint == Hint(Change.CLOSE, Side.LEFT)
    looks(lesson, player("0028"), (0.3, 0.35 + HINT_S))
    assert lesson.state.hint == Hint(Change.THUMB_OUT, Side.LEFT)
    assert lesson.look(player("0044"), 1.0).hint is None  # an agreeing pose ends the hint at once
    assert lesson.look(player("0009"), 1.1).hint == Hint(Change.CLOSE, Side.LEFT)
