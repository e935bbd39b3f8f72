"""Typed poses: a name, then left and right, in large and small letters."""

from __future__ import annotations

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import NotationError, Pose
from bunnymoose_cv.web.commands.typed_pose import player_and_pose

PLAYERS = ("Red", "Tom", "Anna Maria")


@pytest.mark.parametrize(
    ("typed", "player", "pose"),
    [
        ("Red WU CD t", "Red", "WU CD t"),
        ("red wu cd t", "Red", "WU CD t"),
        ("Red Wu cD T", "Red", "WU CD t"),
        ("anna maria ts tf", "Anna Maria", "TS TF"),
        ("tom -- ss  T", "Tom", "-- SS t"),
        ("Tom -- --", "Tom", "-- --"),
    ],
)
def test_small_letters_are_meant_as_the_notation_has_them(typed: str, player: str, pose: str) -> None:
    assert player_and_pose(typed, PLAYERS) == (player, Pose.parse(pose))


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("red wx cd", "“WX” is no headgear"),
        ("red wu", "something is missing"),
        ("red wu t", "“t” is no headgear"),
        ("red wu cd t t", "“T”"),
        ("red", "something is missing"),
    ],
)
def test_what_is_no_pose_is_told(typed: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        player_and_pose(typed, PLAYERS)


def test_a_stranger_is_told_who_plays() -> None:
    with pytest.raises(InputError, match="begin with one of Red, Tom, Anna Maria"):
        player_and_pose("Ida WU CD", PLAYERS)
