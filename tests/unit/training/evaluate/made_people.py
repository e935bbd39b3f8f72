"""Labelled crops of people, and readings of them, made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Pose, Side, Tongue
from bunnymoose_cv.vision.geometry import Box
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.people import PersonRow
from training.evaluate.reading import ReadHeadgear, ReadPlayer, ReadTongue
from training.evaluate.side_labels import SideLabel

if TYPE_CHECKING:
    from bunnymoose_cv.rules.pose_fields import HeadgearField


def row(left: str, right: str, left_sure: str = "1") -> PersonRow:
    sides = {Side.LEFT: SideLabel.parse(left, left_sure), Side.RIGHT: SideLabel.parse(right, "1")}
    return PersonRow("a.jpg", Path("a.jpg"), "p1", "here", sides, Tongue.IN)


def read(pose: str, *unclear: HeadgearField) -> ReadPlayer:
    known = Pose.parse(pose)
    left = ReadHeadgear(HeadgearFields.of(known.left), frozenset(unclear))
    return ReadPlayer(known, left, ReadHeadgear(HeadgearFields.of(known.right)), ReadTongue(Tongue.IN), Box(0, 0, 1, 1))
