"""Answers to a question are told apart by what differs, and by nothing else."""

from __future__ import annotations

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.widgets.pose_lines import pose_lines, telling_lines

LEFT, RIGHT = "left: wide antler up", "right: compact antler down"


def poses(*written: str) -> list[Pose]:
    return [Pose.parse(each) for each in written]


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (("WU CD", "WU CD t"), (("tongue in",), ("tongue out",))),
        (("WU CD", "WU WD"), ((RIGHT,), ("right: wide antler down",))),
        (("WU CD", "CU CD t"), ((LEFT, "tongue in"), ("left: compact antler up", "tongue out"))),
        (("WU CD t",), ((LEFT, RIGHT, "tongue out"),)),
        ((), ()),
    ],
)
def test_answers_are_told_apart_by_what_differs(written: tuple[str, ...], lines: tuple[tuple[str, ...], ...]) -> None:
    assert telling_lines(poses(*written), Texts()) == lines


def test_a_pose_names_the_tongue_only_when_it_is_out() -> None:
    assert [pose_lines(each, Texts()) for each in poses("WU CD", "WU CD t")] == [
        (LEFT, RIGHT),
        (LEFT, RIGHT, "tongue out"),
    ]
