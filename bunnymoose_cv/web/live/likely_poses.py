"""What an unclear reading may be: the likeliest poses, most likely first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import (
    HEADGEARS,
    Antler,
    Direction,
    Ear,
    Form,
    Headgear,
    Place,
    Pose,
    Spread,
    Tongue,
    parse_headgear,
)
from bunnymoose_cv.vision.headgear.headgear_reading import Field, HeadgearProbabilities

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence, TongueEvidence

MOST: Final = 4
"""So many are offered for one tap; the chooser offers all."""

LEAST: Final = 0.005
"""What is less probable than this is not offered, unless it is the second."""

FEWEST: Final = 2
"""So many are offered where there are as many: one alone would be no question."""


@dataclass(frozen=True, slots=True)
class LikelyPose:
    """A pose with its probability among all that the reading leaves open, 0 to 1."""

    pose: Pose
    probability: float


def likeliest_poses(read: PlayerEvidence, most: int = MOST) -> tuple[LikelyPose, ...]:
    """The likeliest poses that agree with everything that was read surely.

    Args:
        read: of one player; what is sure stays as it is.
        most: how many at most.
    """
    chances = {
        Pose(left, right, tongue): left_share * right_share * tongue_share
        for (left, left_share), (right, right_share), (tongue, tongue_share) in product(
            _headgears(read.left), _headgears(read.right), _tongues(read.tongue)
        )
    }
    total = sum(chances.values())
    first = sorted(chances, key=chances.__getitem__, reverse=True)[:most]
    likely = [LikelyPose(pose, chances[pose] / total) for pose in first]
    return tuple(each for number, each in enumerate(likely) if number < FEWEST or each.probability >= LEAST)


def probability_out(tongue: TongueEvidence) -> float:
    """How probably the tongue was out, 0 to 1."""
    return tongue.confidence if tongue.out else 1 - tongue.confidence


def _headgears(read: HeadgearEvidence) -> Iterator[tuple[Headgear, float]]:
    """What may stand on a side, with its probability."""
    likely = HeadgearProbabilities(**read.probabilities)
    shown, unclear = parse_headgear(read.headgear), {Field(name) for name in read.unclear}
    for headgear in HEADGEARS:
        if _agrees(headgear, shown, unclear):
            yield headgear, _chance(headgear, likely)


def _agrees(headgear: Headgear, shown: Headgear, unclear: set[Field]) -> bool:
    """Whether a headgear has every field that was read surely."""
    if type(headgear) is not type(shown):
        return Field.KIND in unclear
    sure = {Antler: (Field.SPREAD, Field.DIRECTION), Ear: (Field.PLACE, Field.FORM)}.get(type(shown), ())
    return all(getattr(headgear, each.value) is getattr(shown, each.value) for each in sure if each not in unclear)


def _chance(headgear: Headgear, likely: HeadgearProbabilities) -> float:
    if isinstance(headgear, Antler):
        wide = likely.wide if headgear.spread is Spread.WIDE else 1 - likely.wide
        return likely.antler * wide * (likely.up if headgear.direction is Direction.UP else 1 - likely.up)
    if isinstance(headgear, Ear):
        straight = likely.straight if headgear.form is Form.STRAIGHT else 1 - likely.straight
        return likely.ear * straight * (likely.top if headgear.place is Place.TOP else 1 - likely.top)
    return likely.neither


def _tongues(read: TongueEvidence) -> Iterator[tuple[Tongue, float]]:
    out = probability_out(read)
    if read.unclear or read.out:
        yield Tongue.OUT, out
    if read.unclear or not read.out:
        yield Tongue.IN, 1 - out
