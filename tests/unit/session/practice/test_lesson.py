"""A lesson goes on when a pose has been held; a field agreed unless it was steadily read otherwise."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.rules.pose import Pose, Side, Tongue
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.session.practice.coach import Change, Hint
from bunnymoose_cv.session.practice.lesson import HINT_S, HOLD_S, SETTLING_S, STEADY_S, Lesson, asked_poses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bunnymoose_cv.session.practice.lesson import LessonState
    from bunnymoose_cv.vision.readings import PlayerReading


class Asks(Random):
    """Chance that asks for certain poses first."""

    def __init__(self, *poses: str) -> None:
        super().__init__(0)
        self._first = [Pose.parse(pose) for pose in poses]

    def shuffle(self, x: list[Pose]) -> None:  # type: ignore[override]
        """The wanted ones first."""
        x.sort(key=lambda pose: self._first.index(pose) if pose in self._first else len(self._first))


def looks(lesson: Lesson, seen: PlayerReading | None, times_s: Iterable[float]) -> LessonState:
    """Show the same at several times; the state after the last."""
    return [lesson.look(seen, time_s) for time_s in times_s][-1]


def tally(state: LessonState, field: Field) -> tuple[int, int]:
    return next((each.agreed, each.asked) for each in state.tallies if each.field is field)


def test_all_pairs_of_headgears_come_once_before_one_comes_again() -> None:
    poses = list(islice(asked_poses(Random(5)), 256))
    assert len(set(poses[:128])) == len(set(poses[128:])) == 128
    assert all(pose.left is not None and pose.right is not None for pose in poses)
    assert {pose.tongue for pose in poses} == set(Tongue)
    assert poses == list(islice(asked_poses(Random(5)), 256))
    assert poses != list(islice(asked_poses(Random(6)), 256))


def test_the_next_comes_when_what_was_asked_was_held(player: Callable[[str], PlayerReading]) -> None:
    lesson = Lesson(Asks("WU WU", "TS TS"))
    assert lesson.look(player("0009"), 3.0).held == 0
    assert lesson.look(player("0009"), 3.0 + HOLD_S / 2).held == pytest.approx(0.5)
    assert lesson.look(player("0009"), 3.0 + HOLD_S).held == 1
    after = lesson.look(player("0009"), 3.1 + HOLD_S)
    assert (after.number, str(after.asked), after.done) == (2, "TS TS", 1)
    assert (tally(after, Field.KIND), tally(after, Field.PLACE)) == ((1, 1), (0, 0))


def test_what_is_shown_for_a_moment_only_is_not_held(player: Callable[[str], PlayerReading]) -> None:
    lesson = Lesson(Asks("WU WU"))
    lesson.look(player("0009"), 0.0)
    lesson.look(player("0028"), HOLD_S / 2)
    assert lesson.look(player("0009"), HOLD_S).held == 0


def test_a_field_that_was_steadily_read_otherwise_did_not_agree(player: Callable[[str], PlayerReading]) -> None:
    lesson = Lesson(Asks("CU WU", "WU WU"))
    state = looks(lesson, player("0009"), (0.0, SETTLING_S, SETTLING_S + STEADY_S))
    assert state.hint is not None
    lesson.look(player("0013"), 8.0)  # WU CU: still otherwise, but for a moment only
    state = lesson.skip()
    assert (tally(state, Field.SPREAD), tally(state, Field.DIRECTION)) == ((0, 1), (1, 1))
    assert (state.number, state.done) == (2, 0)


def test_while_people_read_what_is_asked_nothing_counts_against_them(
    player: Callable[[str], PlayerReading],
) -> None:
    lesson = Lesson(Asks("TS TS", "WU WU"))
    looks(lesson, player("0009"), (0.0, 0.9 * SETTLING_S))
    looks(lesson, player("0028"), (SETTLING_S, SETTLING_S + HOLD_S))
    after = lesson.look(player("0028"), SETTLING_S + HOLD_S + 0.1)
    assert after.done == 1
    assert all(each.agreed == each.asked for each in after.tallies)


def test_nobody_in_the_image_disagrees_with_nothing() -> None:
    lesson = Lesson(Asks("WU WU"))
    looks(lesson, None, (0.0, SETTLING_S, 4 * SETTLING_S))
    assert all(each.agreed == each.asked for each in lesson.skip().tallies)


def test_a_hint_stands_until_another_one_has_been_right_for_a_while(
    player: Callable[[str], PlayerReading],
) -> None:
    lesson = Lesson(Asks("CU CU"))
    assert lesson.look(player("0009"), 0.0).hint == Hint(Change.CLOSE, Side.LEFT)
    assert lesson.look(player("0028"), 0.1).hint == Hint(Change.CLOSE, Side.LEFT)  # for a moment ears were seen
    assert lesson.look(player("0009"), 0.2).hint == Hint(Change.CLOSE, Side.LEFT)
    looks(lesson, player("0028"), (0.3, 0.35 + HINT_S))
    assert lesson.state.hint == Hint(Change.THUMB_OUT, Side.LEFT)
    assert lesson.look(player("0044"), 1.0).hint is None  # what agrees is told at once
    assert lesson.look(player("0009"), 1.1).hint == Hint(Change.CLOSE, Side.LEFT)
