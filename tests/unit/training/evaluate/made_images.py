"""Labelled images of invented players, and readings of them."""

from dataclasses import replace
from pathlib import Path

from bunnymoose_cv.rules.pose import Pose, Side
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS, PoseField
from bunnymoose_cv.vision.geometry import Box
from training.evaluate.comparison import compare_people
from training.evaluate.datasets import Row, RowKind
from training.evaluate.evaluated import Evaluated
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.reading import ReadHeadgear, ReadPlayer, ReadTongue
from training.evaluate.truth import Between, PeopleTruth, PlayerTruth


def read(pose: str, confidence: float = 1.0, limit: float = 0.9, height: float = 100) -> ReadPlayer:
    """Return a reading with one confidence for every field; below the limit all fields are unclear."""
    whole = Pose.parse(pose)
    fields = [HeadgearFields.of(whole.headgear(side)) for side in (Side.LEFT, Side.RIGHT)]
    sides = [
        ReadHeadgear(
            own,
            frozenset(field for field in HEADGEAR_FIELDS if confidence < limit and own.value(field) is not None),
            {field: confidence for field in HEADGEAR_FIELDS if own.value(field) is not None},
        )
        for own in fields
    ]
    tongue = ReadTongue(whole.tongue, confidence < limit, confidence)
    return ReadPlayer(whole, sides[0], sides[1], tongue, Box(0, 0, 80, height))


def shown(
    name: str, poses: str, *found: ReadPlayer, labels: str = "", between: Between | None = None, **boxes: float
) -> Evaluated:
    """Return an image of players; `boxes` are the heights of their faces, under any names."""
    faces: list[Box | None] = [Box(0, 0, 80, height) for height in boxes.values()]
    faces = faces or [None] * len(poses.split("/"))
    players = [
        replace(PlayerTruth.of(Pose.parse(pose)), between=between or Between(), face=face)
        for pose, face in zip(poses.split("/"), faces, strict=True)
    ]
    truth = PeopleTruth(tuple(players))
    row = Row(name, Path(f"{name}.jpg"), RowKind.PLAYER, dict(p.split("=") for p in labels.split(";") if p), 2)
    return Evaluated(row, truth, found, compare_people(truth, found, RowKind.PLAYER), None)


ANYWHERE = Box(0, 0, 100, 120)


def reading(pose: str | Pose, *unclear: str, face: Box = ANYWHERE) -> ReadPlayer:
    """Return a reading with the given unclear fields, such as `left.spread` or `tongue`."""
    whole = Pose.parse(pose) if isinstance(pose, str) else pose
    left, right = (
        ReadHeadgear(
            HeadgearFields.of(headgear),
            frozenset(field for field in HEADGEAR_FIELDS if PoseField.of(side, field) in unclear),
        )
        for side, headgear in ((Side.LEFT, whole.left), (Side.RIGHT, whole.right))
    )
    return ReadPlayer(whole, left, right, ReadTongue(whole.tongue, "tongue" in unclear), face)
