"""Heads: every pose draws, differs from all others, and is read like a mirror."""

from __future__ import annotations

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import ALL_POSES, Pose
from bunnymoose_cv.web.art.art_names import pose_name
from bunnymoose_cv.web.art.head_art import pose_art
from tests.unit.web.art.svg import drawn, shapes

TEXTS = Texts()


@pytest.mark.parametrize("pose", ALL_POSES, ids=str)
def test_every_pose_draws_and_says_what_it_is(pose: Pose) -> None:
    assert drawn(pose_art(pose, TEXTS)).attrib["aria-label"] == pose_name(pose, TEXTS)


def test_poses_differ() -> None:
    assert len({shapes(pose_art(pose, TEXTS)) for pose in ALL_POSES}) == len(ALL_POSES)


def test_a_pose_is_read_like_a_mirror_as_the_cards_are() -> None:
    pose = Pose.parse("WU --")
    assert "scale(-1 1)" in pose_art(pose, TEXTS)  # drawn at the right, turned to the left
    assert "scale(-1 1)" not in pose_art(pose.mirrored(), TEXTS)
